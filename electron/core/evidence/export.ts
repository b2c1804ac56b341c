import type {
  EvidenceAnchor,
  EvidenceDocument,
  EvidenceEntry,
  EvidenceFact,
} from '../../../shared/contract/evidence.ts';
import { isReadElsewhere, placeOfReading } from '../../../shared/rules/evidence/read-elsewhere.ts';
import { listSeparator } from '../../../shared/rules/sheets/list-separator.ts';
import { collectChunks, asSingleChunk } from '../chunks.ts';
import type { Encoding } from '../ports.ts';
import type { ReportCell } from '../../../shared/contract/reports.ts';
import type { ReportWriter } from '../reports/ports.ts';

/**
 * Exports the entries in a verifiable form. To verify an entry, sort its keys, omit `hash`, and
 * print the entry without white space: the SHA-256 of that text is the entry's `hash`.
 */
export function exportJson(
  entries: readonly EvidenceEntry[],
  anchor: EvidenceAnchor,
  encoding: Encoding,
): Uint8Array {
  const whole = { format: 'signing-desk-evidence', anchor, entries };
  return encoding.utf8(`${JSON.stringify(whole, null, 2)}\n`);
}

const headings = [
  'Number',
  'Time',
  'Event',
  'Agreement',
  'Title',
  'Connection',
  'Environment',
  'Person',
  'Role',
  'Personal number',
  'Computer account',
  'Computer',
  'Program',
  'Documents (SHA-256)',
  'Outcome',
  'Date of the service’s answer',
  'Request SHA-256',
  'Entry SHA-256',
];

/** Exports one row per entry; the writer prevents texts from becoming formulas. */
export async function exportCsv(
  entries: readonly EvidenceEntry[],
  reports: ReportWriter,
): Promise<Uint8Array> {
  const table = { title: 'Evidence', headings, rows: asSingleChunk(entries.map(rowOf)) };
  return collectChunks(reports.csv(table, listSeparator()));
}

function rowOf(entry: EvidenceEntry): ReportCell[] {
  const { number, at, agreement, connection, by, program, fact, hash } = entry;
  return [
    ...[String(number), { at }, eventOf(fact), agreement?.id ?? null, agreement?.title ?? null],
    ...[connection?.name ?? null, connection?.environment ?? null],
    ...[by.person?.name ?? null, by.person?.role ?? null, numberOf(entry)],
    ...[by.user, by.computer, program],
    documentsOf(fact)
      .map((one) => {
        const mark = isReadElsewhere(fact, one) ? ' (stated as read outside Signing Desk)' : '';
        return `${one.name}: ${one.sha256}${mark}`;
      })
      .join('\n'),
    fact.kind === 'ended' ? fact.outcome : null,
    fact.kind === 'ended' && typeof fact.serverAt === 'number' ? { at: fact.serverAt } : null,
    fact.kind === 'intended' ? fact.requestSha256 : null,
    hash,
  ];
}

/** Returns the masked number of the acting person, or else of the person named in the request. */
function numberOf({ by, fact }: EvidenceEntry): string | null {
  const named = fact.kind === 'intended' ? (fact.personNumberMasked ?? null) : null;
  return by.person?.personNumberMasked ?? named;
}

const reviewTexts = {
  here: 'reviewed',
  partly: 'reviewed, partly stated as read outside Signing Desk',
  elsewhere: 'stated as read outside Signing Desk',
} as const;

/** Returns a few words that name the event of an entry. */
export function eventOf(fact: EvidenceFact): string {
  switch (fact.kind) {
    case 'reviewed':
      return reviewTexts[placeOfReading(fact)];
    case 'approved':
      return 'approved';
    case 'intended':
      return fact.act === 'sign' ? 'about to sign' : 'about to reject';
    case 'ended':
      return fact.act === 'sign' ? 'signature ended' : 'rejection ended';
    case 'archived':
      return 'final PDF saved';
    case 'restored':
      return fact.from === undefined ? 'restored from a backup' : 'recovered from a damaged file';
    case 'moving':
      return 'about to move to another computer';
    case 'moved':
      return 'moved to another computer';
    case 'woken':
      return fact.because === 'person' ? 'reactivated after a move' : 'not moved after all';
  }
}

export function documentsOf(fact: EvidenceFact): readonly EvidenceDocument[] {
  if (fact.kind === 'archived') return [fact.document];
  return 'documents' in fact ? fact.documents : [];
}
