import type { OutboxRef } from '../../../shared/model/ids.ts';
import type { StoredItem } from '../outbox/ports.ts';
import type { Stores } from '../ports.ts';
import type { JoinedOffice, Operation } from './ports.ts';

interface Known {
  readonly stores: Pick<Stores, 'outbox' | 'connections' | 'office'>;
}

/**
 * What a row of the outbox claims. `repeats`: how many rows before it in its batch say the same, which a
 * person has confirmed; each is something that may happen once. Null where nothing could tell two of them
 * apart.
 */
export function operationOf(
  { stores }: Known,
  office: JoinedOffice,
  item: StoredItem,
  repeats: number,
): Operation | null {
  const { ref, connectionId, title, kind, fingerprint } = item;
  const connection = stores.connections.get(connectionId);
  const service = JSON.stringify([connection.url, connection.accountId]);
  const parts = kind === 'create' ? contentOf(fingerprint, repeats) : signatureOf(stores, ref);
  if (parts === null) return null;
  const key = office.claimKey([service, ...parts]);
  const seen = stores.office.decision(ref)?.seen[hex(key)] ?? null;
  const [first] = stores.outbox.attempts(ref);
  const scan = { mark: item.mark, parties: item.parties, floor: first?.floor ?? null };
  return {
    id: ref,
    kind: kind === 'create' ? 'send' : 'sign',
    keys: [{ key, seen }],
    about: { title, service, scan },
  };
}

function contentOf(fingerprint: string | null, repeats: number): readonly string[] | null {
  return fingerprint === null ? null : ['content', fingerprint, String(repeats)];
}

function signatureOf(stores: Pick<Stores, 'outbox'>, ref: OutboxRef): readonly string[] | null {
  const { target } = stores.outbox.request(ref);
  return target === null ? null : ['sign', target.agreementId, target.partyId];
}

/** How many rows before each say the same. Those of nothing known count for none. */
export function repeatsIn(rows: readonly StoredItem[]): ReadonlyMap<OutboxRef, number> {
  const times = new Map<string, number>();
  return new Map(
    rows.map(({ ref, fingerprint }) => {
      const before = times.get(fingerprint ?? ref) ?? 0;
      times.set(fingerprint ?? ref, before + 1);
      return [ref, before];
    }),
  );
}

/** As decisions name keys. */
export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
