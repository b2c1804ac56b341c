// tier: all
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import {
  salvage,
  type SalvageResult,
} from '../../../../electron/adapters/sqlite/rescue/salvage.ts';
import { layOldData, OLD_KEY } from '../../../support/old-data.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { NOW, tempFolder } from '../temp-database.ts';
import { contentOf, type Damaged, damagedFile, PAGE } from './damaged-file.ts';

/** Tables in which a rescue replaces lost rows. */
const MADE = ['connection', 'draft', 'outbox'];
/** Tables whose rows are lost with their parent row. */
const BELONGS = ['agreement_content', 'draft_step', 'attempt', 'outbox_file', 'group_member'];

/** Returns the keys of rows that the rescue lost or changed, by table. */
function missing({ before }: Damaged, after: ReturnType<Damaged['after']>) {
  const gone = new Map<string, string[]>();
  for (const [table, rows] of before) {
    const kept = after.get(table);
    const keys = [...rows.keys()].filter((key) => kept?.get(key) !== rows.get(key));
    if (keys.length > 0) gone.set(table, keys);
  }
  return gone;
}

/**
 * Checks that every rescued row is unchanged or a replacement, and that SQLite finds the file
 * valid. Returns the missing rows.
 */
function expectTrue(damaged: Damaged): ReturnType<typeof missing> {
  const after = damaged.after();
  for (const [table, rows] of after) {
    const before = damaged.before.get(table);
    for (const [key, row] of rows) {
      if (!MADE.includes(table)) expect(row, `${table} ${key}`).toBe(before?.get(key));
    }
  }
  const [found, homeless] = damaged.read((raw) => [
    raw.pragma('integrity_check', { simple: true }),
    raw.pragma('foreign_key_check'),
  ]);
  expect(found).toBe('ok');
  expect(homeless).toEqual([]);
  return missing(damaged, after);
}

const lostIn = ({ lost }: SalvageResult, table: string) => lost.find((one) => one.table === table);

/** Checks that the missing rows are reported, with their number if they could be counted. */
function expectNamed(saved: SalvageResult, gone: ReturnType<typeof missing>): void {
  for (const { table, rows } of saved.lost) {
    if (rows !== null) expect(rows, table).toBe(gone.get(table)?.length ?? 0);
  }
  const told = saved.lost.map(({ table }) => table);
  for (const table of gone.keys()) {
    if (!BELONGS.includes(table)) expect(told, `${table} is missing`).toContain(table);
  }
}

describe('an undamaged data file in a rescue', () => {
  it('is saved row for row, and no loss is reported', () => {
    using damaged = damagedFile();
    const before = readFileSync(damaged.file);
    expect(damaged.salvage()).toEqual({
      schema: migrations.length,
      pages: { all: damaged.count, unreadable: 0 },
      lost: [],
      unplaced: 0,
      unread: [],
      logBytes: 0,
      nameless: 0,
      bareDrafts: 0,
      bareSends: 0,
    });
    expect(expectTrue(damaged)).toEqual(new Map());
    expect(readFileSync(damaged.file)).toEqual(before);
    expect(statSync(`${damaged.file}.saved`).mode & 0o777).toBe(0o600);
    expect(damaged.read((raw) => raw.pragma('auto_vacuum', { simple: true }))).toBe(2);
  });

  it.each(migrations.map(({ version }) => version))(
    'is saved as version %i wrote it',
    (version) => {
      using place = tempFolder();
      layOldData(version, place.file);
      const into = `${place.file}.saved`;
      const saved = salvage({ file: place.file, key: OLD_KEY, into, now: NOW }, () => undefined);
      expect(saved).toMatchObject({ schema: version, lost: [], unplaced: 0 });
      const [before, after] = [place.file, into].map((file) => {
        const raw = connect(file, OLD_KEY, 'read');
        const content = contentOf(raw);
        raw.close();
        return content;
      });
      expect(after).toEqual(before);
    },
  );
});

describe('a zeroed page', () => {
  it.each([
    'draft_file',
    'outbox',
    'agreement',
    'agreement_content',
    'evidence',
    'draft',
    'journal',
  ])('in the middle of %s loses only its own rows, each of which is named', (table) => {
    using damaged = damagedFile();
    const pages = damaged.pagesOf(table);
    damaged.zero(pages[Math.floor(pages.length / 2)] ?? 0);
    const saved = damaged.salvage();
    const gone = expectTrue(damaged);
    expect(saved.pages.unreadable).toBe(1);
    // An agreement needs both its list row and its content, so both are lost together.
    const told = table === 'agreement_content' ? 'agreement' : table;
    expect(lostIn(saved, told)?.rows).toBe(gone.get(told)?.length);
    expectNamed(saved, gone);
  });

  it.each(['agreement', 'agreement_content', 'draft_file', 'evidence', 'outbox'])(
    'at the top of %s loses no row: lower pages identify their table',
    (table) => {
      using damaged = damagedFile();
      const [top = 0, ...rest] = damaged.pagesOf(table);
      expect(rest.length).toBeGreaterThan(1);
      damaged.zero(top);
      const saved = damaged.salvage();
      expect(saved).toMatchObject({ lost: [], unplaced: 0, pages: { unreadable: 1 } });
      expect(expectTrue(damaged)).toEqual(new Map());
    },
  );

  it('at the top of two similar tables loses no row: the page map identifies them', () => {
    using damaged = damagedFile((place) => {
      const raw = connect(place.file, place.key, 'write');
      raw.pragma('foreign_keys = ON');
      const person = raw.prepare(`
        INSERT INTO person (id, kind, content, title_key, words, times, used_at, added_at, changed_at)
        VALUES (?, 'person', '{}', '', '', 0, 0, 0, 0)`);
      const apart = raw.prepare('INSERT INTO person_apart (first_id, second_id) VALUES (?, ?)');
      const setting = raw.prepare('INSERT INTO setting (name, value) VALUES (?, ?)');
      raw.transaction(() => {
        for (let at = 0; at < 200; at += 1) {
          person.run(`person-${at}`);
          if (at > 0) apart.run('person-0', `person-${at}`);
          setting.run(`setting-${at}`, `"${'x'.repeat(30)}"`);
        }
      })();
      raw.close();
    });
    for (const table of ['setting', 'person_apart']) {
      const [top = 0, ...rest] = damaged.pagesOf(table);
      expect(rest.length).toBeGreaterThan(1);
      damaged.zero(top);
    }
    expect(damaged.salvage()).toMatchObject({ lost: [], unplaced: 0 });
    expect(expectTrue(damaged)).toEqual(new Map());
  });

  it('at the start of the file loses no row: tables are found without it', () => {
    using damaged = damagedFile();
    damaged.zero(1);
    const saved = damaged.salvage();
    expect(saved).toMatchObject({ schema: migrations.length, lost: [], unplaced: 0 });
    expect(expectTrue(damaged)).toEqual(new Map());
  });

  it('in an index loses no row', () => {
    using damaged = damagedFile();
    damaged.zero(...damaged.pagesOf('agreement_by_updated'));
    const saved = damaged.salvage();
    expect(saved.lost).toEqual([]);
    expect(saved.pages.unreadable).toBeGreaterThan(0);
    expect(expectTrue(damaged)).toEqual(new Map());
  });

  it('with part of a draft file loses only that file, by name', () => {
    using damaged = damagedFile();
    const [, , third = 0] = damaged.pagesOf('draft_file', 'overflow');
    damaged.zero(third);
    const saved = damaged.salvage();
    const names = [expect.stringMatching(/^file-\d?0\.pdf$/u)];
    expect(saved.lost).toEqual([{ kind: 'files', table: 'draft_file', rows: 1, names }]);
    expect([...expectTrue(damaged).keys()]).toEqual(['draft_file']);
  });
});

describe('changed bits at the start of the file', () => {
  it.each([
    ['the mark of the key', 3],
    ['the page size', 16],
    ['the write mode', 18],
    ['a payload fraction', 22],
  ])('in %s lose no row: these bytes are the same in every file', (_, at) => {
    using damaged = damagedFile();
    damaged.flip(at);
    const saved = damaged.salvage();
    expect(saved).toMatchObject({ lost: [], unplaced: 0, pages: { unreadable: 0 } });
    expect(expectTrue(damaged)).toEqual(new Map());
  });

  it.each([24, 60, 100, 2000, 4070, 4090])(
    'at byte %i lose the first page, and no table row',
    (at) => {
      using damaged = damagedFile();
      damaged.flip(at);
      const saved = damaged.salvage();
      expect(saved).toMatchObject({ lost: [], unplaced: 0, pages: { unreadable: 1 } });
      expect(expectTrue(damaged)).toEqual(new Map());
    },
  );
});

describe('a truncated data file in a rescue', () => {
  it.each([0.9, 0.6, 0.3])('returns the content before the cut: at %d of its length', (share) => {
    using damaged = damagedFile();
    const kept = Math.floor(damaged.count * share);
    damaged.cutAfter(kept);
    const saved = damaged.salvage();
    expect(saved.pages).toEqual({ all: damaged.count, unreadable: damaged.count - kept });
    expectNamed(saved, expectTrue(damaged));
    expect([...damaged.after().values()].some(({ size }) => size > 0)).toBe(true);
  });
});

describe('the write-ahead log in a rescue', () => {
  const ROWS = 40;

  /** Returns a data file whose last writes are only in its log, as after a power failure. */
  function unmoved() {
    const damaged = damagedFile((place) => {
      const raw = connect(place.file, place.key, 'write');
      raw.pragma('wal_checkpoint(TRUNCATE)');
      copyFileSync(place.file, `${place.file}.early`);
      raw.pragma('wal_autocheckpoint = 0');
      const put = raw.prepare('INSERT INTO setting (name, value) VALUES (?, ?)');
      for (let at = 0; at < ROWS; at += 1) put.run(`kept-${at}`, `"${'x'.repeat(500)}"`);
      copyFileSync(`${place.file}-wal`, `${place.file}.log`);
      raw.close();
    });
    copyFileSync(`${damaged.file}.early`, damaged.file);
    const log = `${damaged.file}-wal`;
    copyFileSync(`${damaged.file}.log`, log);
    return { damaged, log };
  }
  const kept = (damaged: Damaged) => damaged.after().get('setting')?.size ?? 0;

  it('is read with its data file, up to the last commit', () => {
    const { damaged } = unmoved();
    using _ = damaged;
    expect(damaged.salvage()).toMatchObject({ lost: [], logBytes: 0 });
    expect(kept(damaged)).toBe(ROWS);
    expect(expectTrue(damaged)).toEqual(new Map());
  });

  it('costs only the latest writes if it is missing', () => {
    const { damaged, log } = unmoved();
    using _ = damaged;
    rmSync(log);
    expect(damaged.salvage()).toMatchObject({ lost: [], logBytes: 0 });
    expect(kept(damaged)).toBe(0);
    expect([...expectTrue(damaged).keys()]).toEqual(['setting']);
  });

  it('returns the commits before a damage, and reports how much remains', () => {
    const { damaged, log } = unmoved();
    using _ = damaged;
    const bytes = readFileSync(log);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    writeFileSync(log, bytes);
    const saved = damaged.salvage();
    expect(saved.logBytes).toBeGreaterThan(0);
    expect(saved.logBytes).toBeLessThan(bytes.length);
    expect(kept(damaged)).toBeGreaterThan(0);
    expect(kept(damaged)).toBeLessThan(ROWS);
    expect([...expectTrue(damaged).keys()]).toEqual(['setting']);
  });

  it('returns its complete commits if it is truncated', () => {
    const { damaged, log } = unmoved();
    using _ = damaged;
    const bytes = readFileSync(log);
    writeFileSync(log, bytes.subarray(0, bytes.length - 100));
    expect(damaged.salvage().logBytes).toBeGreaterThan(0);
    expect(kept(damaged)).toBe(ROWS - 1);
  });
});

describe('a lost parent row in a rescue', () => {
  it('is restored as a removed connection, and its agreements stay', () => {
    using damaged = damagedFile();
    damaged.zero(...damaged.pagesOf('connection'));
    const saved = damaged.salvage();
    expect(saved).toMatchObject({ nameless: 1 });
    expect(lostIn(saved, 'connection')).toMatchObject({ kind: 'connections', rows: 1 });
    expect([...expectTrue(damaged).keys()]).toEqual(['connection']);
    const row = damaged.read((raw) =>
      raw.prepare('SELECT name, api, is_removed, number FROM connection').get(),
    );
    expect(row).toEqual({ name: 'Recovered 1', api: 'v1', is_removed: 1, number: 1 });
  });

  it('is restored as a draft with its files', () => {
    using damaged = damagedFile();
    damaged.zero(...damaged.pagesOf('draft', 'leaf'));
    const saved = damaged.salvage();
    expect(saved.bareDrafts).toBe(60);
    expect(lostIn(saved, 'draft')?.rows).toBe(60);
    expect([...expectTrue(damaged).keys()]).toEqual(['draft']);
    const [content] = damaged.read((raw) =>
      raw.prepare('SELECT content FROM draft ORDER BY rowid LIMIT 1').pluck().all(),
    ) as string[];
    expect(JSON.parse(content ?? '')).toMatchObject({
      api: 'v1',
      body: { attachments: [{ type: 'BASE64', name: expect.stringContaining('file-') }] },
    });
  });

  it('is restored as a send of unknown outcome, which blocks a repeat', () => {
    using damaged = damagedFile();
    damaged.zero(...damaged.pagesOf('outbox', 'leaf'));
    const saved = damaged.salvage();
    expect(saved.bareSends).toBe(40);
    expect(lostIn(saved, 'outbox')?.rows).toBe(40);
    expectTrue(damaged);
    const rows = damaged.read((raw) =>
      raw.prepare('SELECT state, fingerprint FROM outbox ORDER BY created_at').all(),
    ) as { state: string; fingerprint: string }[];
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['unknown']));
    expect(rows.map(({ fingerprint }) => fingerprint)).toEqual(
      Array.from({ length: 40 }, (_, at) => `fingerprint-${at}`),
    );
  });
});

describe('a data file cannot be rescued if it', () => {
  it('has another key, and this is reported before anything is written', () => {
    using damaged = damagedFile();
    const into = `${damaged.file}.other`;
    const order = { file: damaged.file, key: Buffer.alloc(32, 1), into, now: NOW };
    expect(() => salvage(order, () => undefined)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ reason: 'data-wrong-key' }) }),
    );
    expect(existsSync(into)).toBe(false);
  });

  it('was written by a newer version', () => {
    using damaged = damagedFile();
    const raw = connect(damaged.file, damaged.key, 'write');
    raw.pragma(`user_version = ${migrations.length + 1}`);
    raw.close();
    expect(() => damaged.salvage()).toThrow('newer version');
  });
});

describe('a rescue with any damage', () => {
  /** Yields random numbers, which are the same in every run. */
  function* numbers(seed: number): Generator<number> {
    for (let state = seed; ;) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      yield state;
    }
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'saves only unchanged data, and names the missing data (%i)',
    (seed) => {
      using damaged = damagedFile();
      const random = numbers(seed);
      const next = () => random.next().value as number;
      for (let at = 0; at < 2 * seed; at += 1) {
        const page = next() % damaged.count;
        if (next() % 3 === 0) damaged.zero(page + 1);
        else damaged.flip(page * PAGE + (next() % PAGE));
      }
      if (seed % 4 === 0) damaged.cutAfter(damaged.count - 1 - (next() % 60));
      const saved = damaged.salvage();
      expectNamed(saved, expectTrue(damaged));
      expect(saved.pages.unreadable).toBeGreaterThan(0);
    },
  );
});
