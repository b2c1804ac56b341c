import type {
  EvidenceEntry,
  EvidenceFact,
  EvidenceGap,
  EvidenceVerification,
} from '../../../shared/contract/evidence.ts';
import { isReadElsewhere, placeOfReading } from '../../../shared/rules/evidence/read-elsewhere.ts';
import { documentsOf, eventOf } from './export.ts';
import type { Statement, StatementPart } from './ports.ts';

type Row = StatementPart['rows'][number];

/** Creates a readable report about one agreement. `entries` are sorted oldest first. */
export function statementOf(
  entries: readonly EvidenceEntry[],
  verdict: EvidenceVerification,
  now: number,
): Statement {
  const [first] = entries;
  if (first === undefined) throw new Error('A statement needs an entry');
  const { agreement, connection } = first;
  if (agreement === null || connection === null) throw new Error('A statement is of an agreement');
  return {
    title: `Evidence: ${entries.at(-1)?.agreement?.title ?? agreement.title}`,
    lead: [
      `Created ${utc(now)} from the evidence log of Signing Desk. This statement shows what the program recorded on this computer: who reviewed, approved, signed and rejected, when, and exactly which files they saw.`,
      'A SHA-256 value is the fingerprint of a file. The same file always has the same value, and a changed file has a different value. Times are in UTC, by the clock of the computer.',
    ],
    parts: [
      {
        heading: 'Agreement',
        rows: [
          ['Title', agreement.title],
          ['ID', agreement.id],
          ['Connection', `${connection.name} (API ${connection.api}, ${connection.environment})`],
          ['Service', connection.origin],
        ],
      },
      ...entries.map(partOf),
      { heading: 'Evidence log', rows: logRows(verdict) },
    ],
  };
}

function partOf(entry: EvidenceEntry): StatementPart {
  const { number, at, by, program, fact, previous, hash } = entry;
  const rows: Row[] = [['Time', utc(at)]];
  if (by.person !== null) rows.push(['Person', personOf(by.person)]);
  rows.push(['Computer account', `${by.user} on ${by.computer}, ${program}`]);
  rows.push(...factRows(fact));
  for (const document of documentsOf(fact)) {
    const { name, bytes, sha256 } = document;
    const mark = isReadElsewhere(fact, document) ? ', stated as read outside Signing Desk' : '';
    rows.push(['Document', `${name}, ${bytes} bytes, SHA-256 ${sha256}${mark}`]);
  }
  rows.push(['Entry', hash], ['Previous entry', previous === '' ? 'none' : previous]);
  const event = eventOf(fact);
  return { heading: `${number}. ${event.charAt(0).toUpperCase()}${event.slice(1)}`, rows };
}

const reviewRows: Readonly<Record<ReturnType<typeof placeOfReading>, Row[]>> = {
  here: [['Reviewed', 'every document was opened in Signing Desk']],
  partly: [
    [
      'Statement',
      'the person stated that they had read some documents outside Signing Desk; the others were opened in Signing Desk',
    ],
  ],
  elsewhere: [
    ['Statement', 'the person stated that they had read the agreement outside Signing Desk'],
  ],
};

function factRows(fact: EvidenceFact): Row[] {
  switch (fact.kind) {
    case 'reviewed':
      return reviewRows[placeOfReading(fact)];
    case 'approved':
      return [
        ['Approves', `review ${fact.review}`],
        ...(fact.office?.by === undefined ? [] : [['On the computer of', fact.office.by] as const]),
        ...(fact.office?.at === undefined ? [] : [['Decided', utc(fact.office.at)] as const]),
        ...(fact.office?.for === undefined
          ? []
          : [['For the computer of', fact.office.for] as const]),
      ];
    case 'intended':
      return [
        ['For', fact.party.name + (fact.party.orgNo === null ? '' : `, ${fact.party.orgNo}`)],
        ['Parties', fact.parties.map(({ name, state }) => `${name} (${state})`).join(', ')],
        ...(fact.personNumberMasked === undefined
          ? []
          : [['Named in the request', fact.personNumberMasked] as const]),
        ...(fact.signedAt === null ? [] : [['Time in the signature', utc(fact.signedAt)] as const]),
        ['Request', `SHA-256 ${fact.requestSha256}`],
        ...(fact.review === null ? [] : [['Based on', `review ${fact.review}`] as const]),
        ...(fact.approval === null ? [] : [['Approved in', `entry ${fact.approval}`] as const]),
      ];
    case 'ended':
      return [
        ['Outcome', outcomeOf(fact)],
        ...(typeof fact.serverAt === 'number'
          ? [['Date of the answer', `${utc(fact.serverAt)}, by the clock of the service`] as const]
          : []),
        ...(fact.state === null ? [] : [['Status on the service', fact.state] as const]),
        ...(fact.failure === null ? [] : [['Reason', fact.failure] as const]),
      ];
    case 'archived':
    case 'restored':
    case 'moving':
    case 'moved':
    case 'woken':
      return [];
  }
}

function outcomeOf({ act, outcome, known }: Extract<EvidenceFact, { kind: 'ended' }>): string {
  switch (outcome) {
    case 'done':
      return known === 'answer' ? 'done: the service confirmed it' : 'done: the service shows it';
    case 'refused':
      return `refused by the service: this request ${act === 'sign' ? 'signed' : 'rejected'} nothing`;
    case 'unknown':
      return known === 'person'
        ? 'not known: the answer was lost, and a person gave up this attempt'
        : 'not known: the answer was lost';
    case 'not-done':
      return known === 'read'
        ? 'not done: another attempt did it'
        : 'not done: the request did not leave this computer';
  }
}

function personOf(person: NonNullable<EvidenceEntry['by']['person']>): string {
  const { name, role, personNumberMasked, email } = person;
  return [name, role, personNumberMasked, email].filter((part) => part !== null).join(', ');
}

function logRows({
  entries,
  chain,
  firstBroken,
  gaps,
  head,
  anchors,
}: EvidenceVerification): Row[] {
  const whole =
    chain === 'note-missing'
      ? 'every entry follows from the previous one, but the note about the end of the log is missing'
      : 'complete: every entry follows from the previous one';
  const verdict =
    firstBroken === null ? whole : `broken at entry ${firstBroken.number} (${firstBroken.why})`;
  return [
    ['Entries', String(entries)],
    ['Chain', verdict],
    ...gaps.map((gap) => ['Gap', gapSentence(gap)] as const),
    ['Compared with', `${anchors} ${anchors === 1 ? 'note' : 'notes'} kept outside the log`],
    ['Last entry', head],
  ];
}

function gapSentence({ from, after, until, backupAt, restoredAt }: EvidenceGap): string {
  const lost =
    until === null
      ? `any entries after entry ${after} are missing`
      : `${until - after} entries after entry ${after} are missing`;
  const source = from === 'backup' ? 'a backup made' : 'a damaged file, last written';
  return `restored ${utc(restoredAt)} from ${source} ${utc(backupAt)}: ${lost}`;
}

const utc = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
