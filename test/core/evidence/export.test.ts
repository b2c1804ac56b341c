import { describe, expect, it } from 'vitest';
import { createReportWriter } from '../../../electron/adapters/sheets/write/report.ts';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import type { ReportWriter } from '../../../electron/core/reports/ports.ts';
import { exportCsv, exportJson } from '../../../electron/core/evidence/export.ts';
import type { EvidenceEntry, EvidenceFact } from '../../../shared/contract/evidence.ts';
import { IdentityId } from '../../../shared/model/ids.ts';
import { reviewed } from '../../support/evidence-facts.ts';
import { bytesOf, textOf } from '../../support/fakes/memory-ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const AT = Date.UTC(2026, 4, 4, 9, 30);
const ANSWER = 3 * MINUTE;
const maria = {
  id: IdentityId.parse('6f0c1c9e-9b1c-4c50-8ff2-0f5be6f0a002'),
  name: 'Maria Lind',
  role: 'CEO',
  personNumberMasked: '19800101-****',
  email: null,
};
const document = (name: string) => ({ id: null, name, bytes: 7, sha256: `${name} in hex` });

function entryOf(
  number: number,
  fact: EvidenceFact,
  person: typeof maria | null = null,
): EvidenceEntry {
  return {
    ...reviewed('7'),
    number,
    at: AT,
    by: { user: 'maria', computer: 'desk', person },
    program: 'Signing Desk 1.0.0',
    fact,
    previous: '',
    hash: `hash ${number}`,
  };
}

const about = (act: 'sign' | 'reject'): EvidenceFact => ({
  kind: 'intended',
  act,
  party: { id: 'p', name: 'Berg AB', orgNo: null },
  parties: [],
  documents: [document('lease.pdf'), document('annex.pdf')],
  review: null,
  approval: null,
  requestSha256: 'request in hex',
  signedAt: null,
  ...(act === 'reject' && { personNumberMasked: '19890101-****' }),
});

const ended = (act: 'sign' | 'reject', serverAt: number | null): EvidenceFact => {
  const how = { outcome: 'done', known: 'answer', state: null, failure: null } as const;
  return { kind: 'ended', act, intent: 3, serverAt, ...how };
};

const entries = [
  entryOf(1, { kind: 'reviewed', how: 'here', documents: [document('lease.pdf')] }, maria),
  entryOf(2, { kind: 'reviewed', how: 'elsewhere', documents: [] }),
  entryOf(3, { kind: 'approved', review: 1 }),
  entryOf(4, about('sign'), maria),
  entryOf(5, about('reject')),
  entryOf(6, ended('sign', AT + ANSWER)),
  entryOf(7, ended('reject', null)),
  entryOf(8, { kind: 'archived', document: document('signed.pdf') }),
  entryOf(9, about('sign')),
];

/** The table passed to the report writer. */
async function tableOf(of: readonly EvidenceEntry[]) {
  const given: unknown[] = [];
  const csv: ReportWriter['csv'] = async function* ({ title, headings, rows }) {
    for await (const some of rows) given.push({ title, headings, rows: some });
    yield bytesOf('as the writer wrote it');
  };
  const text = textOf(await exportCsv(of, { ...createReportWriter(), csv }));
  return { table: given[0], text };
}

describe('the evidence exported as a table', () => {
  it('names each column in words', async () => {
    const { table, text } = await tableOf([]);
    expect(text).toBe('as the writer wrote it');
    expect(table).toEqual({
      title: 'Evidence',
      headings: [
        ...['Number', 'Time', 'Event', 'Agreement', 'Title', 'Connection', 'Environment', 'Person'],
        ...['Role', 'Personal number', 'Computer account', 'Computer', 'Program'],
        ...['Documents (SHA-256)', 'Outcome', 'Date of the service’s answer', 'Request SHA-256'],
        'Entry SHA-256',
      ],
      rows: [],
    });
  });

  it('has a row for each entry with the event, its object, its actor and the bytes', async () => {
    const at = { at: AT };
    const lease = ['7', 'Lease 7 “Öberg”', 'Kontoret å ä ö', 'test'];
    const nobody = [null, null, null];
    const somebody = ['Maria Lind', 'CEO', '19800101-****'];
    const account = ['maria', 'desk', 'Signing Desk 1.0.0'];
    const both = 'lease.pdf: lease.pdf in hex\nannex.pdf: annex.pdf in hex';
    const read = 'lease.pdf: lease.pdf in hex';
    const saved = 'signed.pdf: signed.pdf in hex';
    const asked = [null, null, 'request in hex'];
    const forBo = [null, null, '19890101-****'];
    const none = [null, null, null];
    const heard = ['done', { at: AT + ANSWER }, null];
    expect((await tableOf(entries)).table).toMatchObject({
      rows: [
        ['1', at, 'reviewed', ...lease, ...somebody, ...account, read, ...none, 'hash 1'],
        [
          '2',
          at,
          'stated as read outside Signing Desk',
          ...lease,
          ...nobody,
          ...account,
          '',
          ...none,
          'hash 2',
        ],
        ['3', at, 'approved', ...lease, ...nobody, ...account, '', ...none, 'hash 3'],
        ['4', at, 'about to sign', ...lease, ...somebody, ...account, both, ...asked, 'hash 4'],
        ['5', at, 'about to reject', ...lease, ...forBo, ...account, both, ...asked, 'hash 5'],
        ['6', at, 'signature ended', ...lease, ...nobody, ...account, '', ...heard, 'hash 6'],
        [
          '7',
          at,
          'rejection ended',
          ...lease,
          ...nobody,
          ...account,
          '',
          'done',
          null,
          null,
          'hash 7',
        ],
        ['8', at, 'final PDF saved', ...lease, ...nobody, ...account, saved, ...none, 'hash 8'],
        ['9', at, 'about to sign', ...lease, ...nobody, ...account, both, ...asked, 'hash 9'],
      ],
    });
  });
});

describe('the evidence exported as JSON', () => {
  it('states its format and the end of the log, and contains the entries unchanged', () => {
    const anchor = {
      format: 'signing-desk-evidence-anchor',
      entries: 9,
      hash: 'hash 9',
      at: AT,
    } as const;
    const text = textOf(exportJson(entries, anchor, createEncoding()));
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual({ format: 'signing-desk-evidence', anchor, entries });
  });
});
