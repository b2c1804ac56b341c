import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { createReportWriter } from '../../../electron/adapters/sheets/write/report.ts';
import { readIndex, renderIndex, tableOf } from '../../../electron/core/archive/index-files.ts';
import {
  type FolderContent,
  hasOtherColumns,
  indexRows,
  logRun,
  writeLists,
} from '../../../electron/core/archive/lists.ts';
import { Agreement } from '../../../shared/contract/agreements.ts';
import {
  type ArchiveResult,
  IndexColumn,
  defaultIndexColumns,
} from '../../../shared/contract/archive.ts';
import { Connection } from '../../../shared/contract/connections.ts';
import { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';
import { relativeTo } from '../../../shared/rules/files/relative-to.ts';

const CLOSED = Date.UTC(2026, 4, 4, 9, 30);
const SAVED = Date.UTC(2026, 4, 5, 10);

const connectionId = ConnectionId.parse('6f0c1c9e-9b1c-4c50-8ff2-0f5be6f0a001');
const key = (id: string) => ({ connectionId, id: AgreementId.parse(id) });
const files = createFiles();
const listPorts = { files, reports: createReportWriter(), encoding: createEncoding() };

let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'desk-lists-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const office = { name: 'Office', environment: 'production' };
const textOf = (name: string) => readFileSync(path.join(root, name), 'utf8');

const saved = (name: string) => ({
  file: path.join(root, name),
  sha256: `${name} in hex`,
  bytes: 7,
  savedAt: SAVED,
});

const pdfOf = (id: string, seal: string | null) => ({
  ...saved(`${id}.pdf`),
  key: key(id),
  title: `Lease ${id}`,
  parties: ['Åsa Öberg', 'Bo Ek'],
  closedAt: CLOSED,
  changedAt: null,
  seal,
});

function content(): FolderContent {
  const kinds = ['attachments', 'json', 'xml', 'evidence', 'unsigned'] as const;
  return {
    root,
    pdfs: [
      pdfOf('a', 'covers'),
      { ...pdfOf('b', null), parties: null, closedAt: null },
      { ...pdfOf('elsewhere', null), file: '/elsewhere/c.pdf' },
    ],
    extras: kinds.map((kind, at) => ({
      ...saved(`2026/${at + 1}.x`),
      kind,
      name: kind,
      // The agreement of the last entries has no PDF.
      key: key(at < 3 ? 'a' : 'of no pdf'),
    })),
    relative: (file) => relativeTo(root, file),
    columns: defaultIndexColumns,
    agreements: new Map(),
    connection: (id) =>
      id === connectionId
        ? Connection.parse({
            ...office,
            id,
            api: 'v1',
            url: 'https://service.example',
            accountId: null,
            createdAt: 1,
            orgNo: null,
          })
        : undefined,
  };
}

const line = (...cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(',');
const of = ['Office', 'production'];
const leaseA = ['a', 'Lease a', 'Åsa Öberg; Bo Ek', '2026-05-04T09:30:00.000Z'];
const ofNone = ['of no pdf', '', '', ''];
const at = '2026-05-05T10:00:00.000Z';
const seal = 'a seal is present and covers the whole file';

describe('the lists of an archive', () => {
  it('name each file once, with its kind, agreement and date, PDFs first', async () => {
    await writeLists(listPorts, content());
    expect(readdirSync(root).toSorted()).toEqual([
      ...['index.csv', 'index.xlsx', 'manifest-sha256.txt'],
    ]);
    const hash = 'in hex';
    expect(textOf('index.csv').split('\r\n')).toEqual([
      `\uFEFF${line('file', 'sha256', 'bytes', 'kind', 'seal', 'connection', 'environment', 'id', 'title', 'parties', 'closed', 'saved')}`,
      line('a.pdf', `a.pdf ${hash}`, '7', 'signed PDF', seal, ...of, ...leaseA, at),
      line('b.pdf', `b.pdf ${hash}`, '7', 'signed PDF', '', ...of, 'b', 'Lease b', '', '', at),
      line('2026/1.x', `2026/1.x ${hash}`, '7', 'attachment', '', ...of, ...leaseA, at),
      ...[
        line(
          '2026/2.x',
          `2026/2.x ${hash}`,
          '7',
          'answer of the service (JSON)',
          '',
          ...of,
          ...leaseA,
          at,
        ),
        line(
          '2026/3.x',
          `2026/3.x ${hash}`,
          '7',
          'answer of the service (XML)',
          '',
          ...of,
          ...leaseA,
          at,
        ),
        line('2026/4.x', `2026/4.x ${hash}`, '7', 'evidence statement', '', ...of, ...ofNone, at),
        line('2026/5.x', `2026/5.x ${hash}`, '7', 'unsigned copy', '', ...of, ...ofNone, at),
      ],
      '',
    ]);
    const names = ['a.pdf', 'b.pdf', ...[1, 2, 3, 4, 5].map((one) => `2026/${one}.x`)];
    expect(textOf('manifest-sha256.txt')).toBe(
      names.map((name) => `${name} ${hash}  ${name}\n`).join(''),
    );
  });

  it('keep entries that another computer wrote unchanged while their files exist', async () => {
    const theirs = (name: string) => ({
      ...pdfOf('a', 'covers'),
      ...saved(name),
      sha256: 'a'.repeat(64),
      key: key(name),
      title: `=HYPERLINK("x"); "Lease"\r\nof ${name}`,
    });
    const other = { ...content(), pdfs: [theirs('x.pdf'), theirs('gone.pdf')], extras: [] };
    for (const name of ['a.pdf', 'x.pdf', 'gone.pdf']) writeFileSync(path.join(root, name), 'PDF');
    await writeLists(listPorts, other);
    const [, row] = readIndex(textOf('index.csv'));
    rmSync(path.join(root, 'gone.pdf'));
    const outside = `${'b'.repeat(64)}  ../${path.basename(root)}/x.pdf\n`;
    writeFileSync(path.join(root, 'manifest-sha256.txt'), textOf('manifest-sha256.txt') + outside);
    const own = { ...content(), extras: [] };
    for (let times = 0; times < 2; times += 1) {
      await writeLists(listPorts, own);
      const rows = readIndex(textOf('index.csv'));
      expect(rows.map((one) => one.get('file'))).toEqual(['a.pdf', 'b.pdf', 'x.pdf']);
      expect(rows.at(-1)?.get('title')).toBe(row?.get('title')?.replace('gone', 'x'));
      expect(textOf('manifest-sha256.txt')).toContain(`${'a'.repeat(64)}  x.pdf\n`);
      expect(textOf('manifest-sha256.txt')).not.toMatch(/gone|\.\./u);
    }
  });

  it('are read for their columns, whatever their size', async () => {
    const large = Array.from({ length: 200 }, () => ({
      ...pdfOf('a', 'covers'),
      title: 'x'.repeat(9000),
    }));
    await writeLists(listPorts, { ...content(), pdfs: large });
    expect(textOf('index.csv').length).toBeGreaterThan(1024 * 1024);
    expect(await hasOtherColumns(listPorts, root, defaultIndexColumns)).toBe(false);
    expect(await hasOtherColumns(listPorts, root, defaultIndexColumns.slice(1))).toBe(true);
  });

  it('contain no formula, and no quotation mark that ends a cell too early', () => {
    const [row] = indexRows(content());
    if (row === undefined) throw new Error('a row');
    const cells = renderIndex(
      [{ ...row, title: '=SUM(A1)', parties: ['a "b" c'] }],
      defaultIndexColumns,
    );
    expect(cells).toContain(`,"'=SUM(A1)","a ""b"" c",`);
  });

  it('contain all remaining data of a file whose connection was removed', () => {
    const [row] = indexRows({ ...content(), connection: () => undefined });
    if (row === undefined) throw new Error('a row');
    expect(renderIndex([row], defaultIndexColumns)).toContain(`,"${seal}","","","a",`);
  });

  it('store times as times in the spreadsheet, and all other values as text', async () => {
    const { title, headings, rows } = tableOf(
      indexRows(content()).slice(0, 2),
      defaultIndexColumns,
    );
    expect(title).toBe('Archive');
    expect(headings.slice(-2)).toEqual(['closed', 'saved']);
    for await (const some of rows) {
      expect(some).toEqual([
        [
          ...['a.pdf', 'a.pdf in hex', '7', 'signed PDF', seal, ...of],
          ...[...leaseA.slice(0, -1), { at: CLOSED }, { at: SAVED }],
        ],
        [
          ...['b.pdf', 'b.pdf in hex', '7', 'signed PDF', '', ...of],
          ...['b', 'Lease b', '', null, { at: SAVED }],
        ],
      ]);
    }
  });
});

describe('the columns of an index', () => {
  it('are the chosen ones in the chosen sequence, and are empty for agreements without a local copy', () => {
    const more = {
      tags: { case: 'K-1' },
      awaited: [],
      people: [
        {
          name: 'Åsa',
          state: 'signed',
          nativeState: 'SIGNED',
          email: 'a@example.com',
          mobile: null,
        },
      ],
      sentBy: 'Maria Berg',
      batch: 'Autumn',
      batchRow: 12,
      template: 'Lease 2026',
    } as const;
    const copy = Agreement.parse({
      ...key('a'),
      api: 'v1',
      title: 'Lease a',
      state: 'signed',
      nativeState: 'SIGNED_BY_ALL',
      perhapsExpired: false,
      parties: ['Åsa'],
      signedCount: 1,
      partyCount: 1,
      myTurn: false,
      sentAt: CLOSED - 1000,
      updatedAt: CLOSED,
      closedAt: CLOSED,
      expiresAt: null,
      deletesAt: null,
      archivedAt: SAVED,
      gone: null,
      more,
    });
    const columns = IndexColumn.options.slice(IndexColumn.options.indexOf('sent'));
    const wanted = ['title', 'file', ...columns] as const;
    const agreements = new Map([[`${connectionId} a`, copy]]);
    const rows = indexRows({ ...content(), agreements });
    expect(renderIndex(rows.slice(0, 2), wanted).split('\r\n')).toEqual([
      `\uFEFF${line('title', 'file', 'sent', 'sent by', 'party states', 'addresses', 'tags', 'template', 'batch', 'batch row')}`,
      line(
        ...['Lease a', 'a.pdf', '2026-05-04T09:29:59.000Z', 'Maria Berg', 'Åsa: signed'],
        ...['a@example.com', 'case: K-1', 'Lease 2026', 'Autumn', '12'],
      ),
      line('Lease b', 'b.pdf', '', '', '', '', '', '', '', ''),
      '',
    ]);
  });
});

describe('the log of the runs of an archive', () => {
  const failure = { code: 'offline', message: 'Gone' } as const;
  const failed = { ...key('a'), title: 'Lease a', failure };
  const result: ArchiveResult = {
    listed: 9,
    saved: 3,
    present: 2,
    waiting: 1,
    unsealed: 4,
    failed: [failed, failed],
    doubtful: [],
    bytes: 77,
    seconds: 1.5,
    folder: '',
  };
  const head = 'time,ending,listed,saved,present,waiting,unsealed,failed,bytes,seconds';
  const log = (ending: string, time = CLOSED) => logRun(files, root, result, ending, time);

  it('has a line for each run, the newest last, below one heading', async () => {
    await log('done');
    await log('stopped', SAVED);
    expect(textOf('run-log.csv')).toBe(
      `${head}
2026-05-04T09:30:00.000Z,done,9,3,2,1,4,2,77,1.5
2026-05-05T10:00:00.000Z,stopped,9,3,2,1,4,2,77,1.5
`,
    );
  });

  it('drops the oldest lines beyond two thousand', async () => {
    const older = Array.from({ length: 2001 }, (_, index) => `line ${index}`);
    writeFileSync(path.join(root, 'run-log.csv'), `${[head, ...older].join('\n')}\n`);
    await log('done');
    const lines = textOf('run-log.csv').split('\n');
    expect(lines.slice(0, 2)).toEqual([head, 'line 1']);
    expect(lines).toHaveLength(1 + 2000 + 1 + 1);
  });
});
