import type { EvidenceEntry } from '../../shared/contract/evidence.ts';
import { readEntry } from '../../shared/rules/evidence-entry.ts';
import type {
  EvidencePlace,
  EvidenceStore,
  StoredEvidence,
} from '../../electron/core/evidence-ports.ts';

/** The memory twin of the table of evidence. */
export function createEvidenceStore(rows: StoredEvidence[] = []): EvidenceStore {
  let noted: EvidencePlace | null = null;
  const entries = () => rows.flatMap((row) => readEntry(row) ?? []);
  const endingOf = (intent: number) =>
    entries().findLast(({ fact }) => fact.kind === 'ended' && fact.intent === intent)?.fact;

  const matching = ({ key, from, to }: Parameters<EvidenceStore['count']>[0]) =>
    entries().filter(
      ({ connection, agreement, at }) =>
        (key === undefined || (connection.id === key.connectionId && agreement.id === key.id)) &&
        (from === undefined || at >= from) &&
        (to === undefined || at < to),
    );

  const isOpen = ({ fact, number }: EvidenceEntry): boolean => {
    if (fact.kind !== 'intended') return false;
    const ending = endingOf(number);
    return ending?.kind !== 'ended' || ending.outcome === 'unknown';
  };

  return {
    last: () => rows.at(-1) ?? null,
    at: (number) => rows.find((row) => row.number === number) ?? null,
    append(make) {
      const entry = make(rows.at(-1) ?? null);
      rows.push(entry);
      return entry;
    },
    list: ({ before = Infinity, limit, ...query }) =>
      matching(query)
        .filter(({ number }) => number < before)
        .toReversed()
        .slice(0, limit),
    count: (query) => matching(query).length,
    connectionsOf: (id) => [
      ...new Set(
        entries()
          .filter(({ agreement }) => agreement.id === id)
          .map(({ connection }) => connection.id),
      ),
    ],
    walk: () => rows,
    openIntents: () => entries().filter(isOpen),
    ofRef: (ref) => entries().filter((entry) => entry.ref === ref),
    noted: () => noted,
    setNoted: (place) => void (noted = place),
  };
}
