import { describe, expect, it } from 'vitest';
import { statementOf } from '../../../electron/core/evidence/statement.ts';
import type {
  EvidenceEntry,
  EvidenceFact,
  EvidenceVerification,
} from '../../../shared/contract/evidence.ts';
import { IdentityId } from '../../../shared/model/ids.ts';
import { reviewed } from '../../support/evidence-facts.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/* The statement may be shown to a court, so its exact words are checked here. */

type Fact<Kind extends EvidenceFact['kind']> = Extract<EvidenceFact, { kind: Kind }>;

const START = Date.UTC(2026, 4, 4, 9, 30, 5);
const maria = {
  id: IdentityId.parse('6f0c1c9e-9b1c-4c50-8ff2-0f5be6f0a002'),
  name: 'Maria Öberg',
  role: 'CEO',
  personNumberMasked: '19800101-****',
  email: 'maria@example.com',
};
const lease = { id: 'd', name: 'lease.pdf', bytes: 7, sha256: 'ab'.repeat(32) };

const intended: Fact<'intended'> = {
  kind: 'intended',
  act: 'sign',
  party: { id: '5560360793', name: 'Berg AB', orgNo: '556036-0793' },
  parties: [
    { name: 'Berg AB', state: 'WAITING' },
    { name: 'Bo Ek', state: 'SIGNED' },
  ],
  documents: [lease],
  review: 1,
  approval: 3,
  requestSha256: 'cd'.repeat(32),
  signedAt: Date.UTC(2026, 4, 4, 9, 29),
};

const ended = (change: Partial<Fact<'ended'>>): Fact<'ended'> => ({
  kind: 'ended',
  act: 'sign',
  intent: 4,
  outcome: 'done',
  known: 'answer',
  serverAt: null,
  state: null,
  failure: null,
  ...change,
});

const hashAt = (number: number) => String(number).padStart(2, '0').repeat(32);

/** A log with one entry a minute, each linked to the one before. */
function logOf(...facts: readonly EvidenceFact[]): EvidenceEntry[] {
  return facts.map((fact, index) => ({
    ...reviewed('7'),
    number: index + 1,
    at: START + index * MINUTE,
    by: { user: 'maria', computer: 'desk', person: null },
    program: 'Signing Desk 1.0.0',
    fact,
    previous: index === 0 ? '' : hashAt(index),
    hash: hashAt(index + 1),
  }));
}

const whole: EvidenceVerification = {
  entries: 12,
  chain: 'ok',
  firstBroken: null,
  gaps: [],
  anchors: 3,
  head: 'ef'.repeat(32),
};

const told = (entries: readonly EvidenceEntry[], verdict = whole) =>
  statementOf(entries, verdict, START + 60 * MINUTE);

/** Rows of the entries for a fact, between the account and the hashes. */
const rowsOf = (...facts: readonly EvidenceFact[]) =>
  told(logOf(...facts))
    .parts.slice(1, -1)
    .map(({ heading, rows }) => [heading, ...rows.slice(2, -2)]);

describe('a statement of evidence', () => {
  it('states when it was made, its subject and the service', () => {
    const { title, lead, parts } = told(logOf(reviewed('7').fact));
    expect(title).toBe('Evidence: Lease 7 “Öberg”');
    expect(lead).toEqual([
      'Created 2026-05-04 10:30:05 UTC from the evidence log of Signing Desk. This statement shows what the program recorded on this computer: who reviewed, approved, signed and rejected, when, and exactly which files they saw.',
      'A SHA-256 value is the fingerprint of a file. The same file always has the same value, and a changed file has a different value. Times are in UTC, by the clock of the computer.',
    ]);
    expect(parts.map(({ heading }) => heading)).toEqual([
      'Agreement',
      '1. Reviewed',
      'Evidence log',
    ]);
    expect(parts[0]?.rows).toEqual([
      ['Title', 'Lease 7 “Öberg”'],
      ['ID', '7'],
      ['Connection', 'Kontoret å ä ö (API v1, test)'],
      ['Service', 'https://api.example.com'],
    ]);
  });

  it('has the agreement’s current title, and keeps its first title', () => {
    const [first, second] = logOf(reviewed('7').fact, { kind: 'approved', review: 1 });
    if (first === undefined || second === undefined || second.agreement === null)
      throw new Error('two entries');
    const renamed = { ...second, agreement: { ...second.agreement, title: 'Loan' } };
    const { title, parts } = told([first, renamed]);
    expect(title).toBe('Evidence: Loan');
    expect(parts[0]?.rows[0]).toEqual(['Title', 'Lease 7 “Öberg”']);
  });

  it('is refused for an agreement without an entry', () => {
    expect(() => told([])).toThrow('A statement needs an entry');
  });

  it('states for each entry the time, person, account and bytes, and its number in the log', () => {
    const [first, second] = logOf(reviewed('7').fact, { kind: 'approved', review: 1 });
    if (first === undefined || second === undefined) throw new Error('two entries');
    const nameless = { ...maria, role: null, personNumberMasked: null };
    const { parts } = told([
      { ...first, by: { ...first.by, person: maria } },
      { ...second, by: { ...second.by, person: nameless } },
    ]);
    expect(parts.slice(1, -1)).toEqual([
      {
        heading: '1. Reviewed',
        rows: [
          ['Time', '2026-05-04 09:30:05 UTC'],
          ['Person', 'Maria Öberg, CEO, 19800101-****, maria@example.com'],
          ['Computer account', 'maria on desk, Signing Desk 1.0.0'],
          ['Reviewed', 'every document was opened in Signing Desk'],
          ['Document', `lease.pdf, 7 bytes, SHA-256 ${'ab'.repeat(32)}`],
          ['Entry', hashAt(1)],
          ['Previous entry', 'none'],
        ],
      },
      {
        heading: '2. Approved',
        rows: [
          ['Time', '2026-05-04 09:31:05 UTC'],
          ['Person', 'Maria Öberg, maria@example.com'],
          ['Computer account', 'maria on desk, Signing Desk 1.0.0'],
          ['Approves', 'review 1'],
          ['Entry', hashAt(2)],
          ['Previous entry', hashAt(1)],
        ],
      },
    ]);
  });

  it('states, for an approval from another computer of the office, the computer, time and request', () => {
    const decided = Date.UTC(2026, 4, 4, 8);
    const office = { id: 'asked', by: 'Lund', at: decided, for: 'Malmö' };
    expect(rowsOf({ kind: 'approved', review: 1, office })).toEqual([
      [
        '1. Approved',
        ['Approves', 'review 1'],
        ['On the computer of', 'Lund'],
        ['Decided', '2026-05-04 08:00:00 UTC'],
        ['For the computer of', 'Malmö'],
      ],
    ]);
  });

  it('distinguishes a review in the program from a statement of having read the agreement elsewhere', () => {
    expect(
      rowsOf({ kind: 'reviewed', how: 'elsewhere', documents: [] }, reviewed('7').fact),
    ).toEqual([
      [
        '1. Stated as read outside Signing Desk',
        ['Statement', 'the person stated that they had read the agreement outside Signing Desk'],
      ],
      [
        '2. Reviewed',
        ['Reviewed', 'every document was opened in Signing Desk'],
        ['Document', `lease.pdf, 7 bytes, SHA-256 ${'ab'.repeat(32)}`],
      ],
    ]);
  });

  it('states for whom and on what ground a person was about to sign or reject', () => {
    const bare: Fact<'intended'> = {
      ...intended,
      act: 'reject',
      party: { id: 'private-1', name: 'Bo Ek', orgNo: null },
      documents: [],
      review: null,
      approval: null,
      signedAt: null,
      personNumberMasked: '19890101-****',
    };
    const request = ['Request', `SHA-256 ${'cd'.repeat(32)}`];
    const parties = ['Parties', 'Berg AB (WAITING), Bo Ek (SIGNED)'];
    expect(rowsOf(intended, bare)).toEqual([
      [
        '1. About to sign',
        ['For', 'Berg AB, 556036-0793'],
        parties,
        ['Time in the signature', '2026-05-04 09:29:00 UTC'],
        request,
        ['Based on', 'review 1'],
        ['Approved in', 'entry 3'],
        ['Document', `lease.pdf, 7 bytes, SHA-256 ${'ab'.repeat(32)}`],
      ],
      [
        '2. About to reject',
        ['For', 'Bo Ek'],
        parties,
        ['Named in the request', '19890101-****'],
        request,
      ],
    ]);
  });

  it.each<[Partial<Fact<'ended'>>, string]>([
    [{ outcome: 'done', known: 'answer' }, 'done: the service confirmed it'],
    [{ outcome: 'done', known: 'read' }, 'done: the service shows it'],
    [{ outcome: 'refused' }, 'refused by the service: this request signed nothing'],
    [
      { outcome: 'refused', act: 'reject' },
      'refused by the service: this request rejected nothing',
    ],
    [{ outcome: 'unknown', known: 'program' }, 'not known: the answer was lost'],
    [
      { outcome: 'unknown', known: 'person' },
      'not known: the answer was lost, and a person gave up this attempt',
    ],
    [{ outcome: 'not-done', known: 'read' }, 'not done: another attempt did it'],
    [
      { outcome: 'not-done', known: 'program' },
      'not done: the request did not leave this computer',
    ],
  ])('describes an action that ended with %j: %s', (change, words) => {
    const event = change.act === 'reject' ? '1. Rejection ended' : '1. Signature ended';
    expect(rowsOf(ended(change))).toEqual([[event, ['Outcome', words]]]);
  });

  it('states the service’s answer, its time, and the agreement’s status then', () => {
    const serverAt = Date.UTC(2026, 4, 4, 9, 30, 7);
    const fact = ended({ outcome: 'refused', serverAt, state: 'EXPIRED', failure: 'Too late' });
    expect(rowsOf(fact)).toEqual([
      [
        '1. Signature ended',
        ['Outcome', 'refused by the service: this request signed nothing'],
        ['Date of the answer', '2026-05-04 09:30:07 UTC, by the clock of the service'],
        ['Status on the service', 'EXPIRED'],
        ['Reason', 'Too late'],
      ],
    ]);
  });

  it('names the entries that a restored log lacks, and its source', () => {
    const at = { backupAt: START, restoredAt: START + 2 * MINUTE };
    const gaps = [
      { from: 'backup' as const, after: 3, until: null, ...at },
      { from: 'damaged-file' as const, after: 5, until: 8, ...at },
    ];
    const { parts } = told(logOf(reviewed('7').fact), { ...whole, gaps });
    const log = parts.at(-1)?.rows ?? [];
    expect(log.filter(([name]) => name === 'Gap').map(([, text]) => text)).toEqual([
      'restored 2026-05-04 09:32:05 UTC from a backup made 2026-05-04 09:30:05 UTC: any entries after entry 3 are missing',
      'restored 2026-05-04 09:32:05 UTC from a damaged file, last written 2026-05-04 09:30:05 UTC: 3 entries after entry 5 are missing',
    ]);
  });

  it('states only the name and hash of a saved final PDF', () => {
    expect(rowsOf({ kind: 'archived', document: { ...lease, id: null } })).toEqual([
      ['1. Final PDF saved', ['Document', `lease.pdf, 7 bytes, SHA-256 ${'ab'.repeat(32)}`]],
    ]);
  });

  it.each<[Partial<EvidenceVerification>, string, string]>([
    [{}, 'complete: every entry follows from the previous one', '3 notes kept outside the log'],
    [
      { chain: 'note-missing', anchors: 1 },
      'every entry follows from the previous one, but the note about the end of the log is missing',
      '1 note kept outside the log',
    ],
    [
      { chain: 'broken', firstBroken: { number: 5, why: 'changed' }, anchors: 0 },
      'broken at entry 5 (changed)',
      '0 notes kept outside the log',
    ],
  ])('ends with the result of checking the log: %j', (change, chain, compared) => {
    const { parts } = told(logOf(reviewed('7').fact), { ...whole, ...change });
    expect(parts.at(-1)).toEqual({
      heading: 'Evidence log',
      rows: [
        ['Entries', '12'],
        ['Chain', chain],
        ['Compared with', compared],
        ['Last entry', 'ef'.repeat(32)],
      ],
    });
  });
});
