// tier: all
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import type { Stores } from '../../../electron/core/ports.ts';
import { readDataExport } from '../../../electron/core/takeout/read.ts';
import { writeDataExport } from '../../../electron/core/takeout/write.ts';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { DraftBodyV1 } from '../../../shared/contract/drafts.ts';
import { DataExportManifest, type WrittenDataExport } from '../../../shared/contract/takeout.ts';
import { tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { bundleChild } from '../../support/bundle-child.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  people,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { createMemoryFiles, sha256 } from '../../support/fakes/memory-ports.ts';
import { wasKilled } from '../../support/killed.ts';
import { entryOf } from '../../support/person-entry.ts';
import { TAKEOUT_NOW, takeoutPorts } from '../../support/takeout-ports.ts';
import { runLength } from '../../support/run-length.ts';
import type { KilledTakeout } from './children/killed-takeout.ts';

const TIMEOUT_MS = 600_000;
/** Number of moments at which a process is killed. */
const KILLS = runLength({ whole: 20, all: 3 });
/** Number of points at which an export in this process ends. */
const ENDS = runLength({ whole: 60, all: 12 });

const never = new AbortController().signal;
const quiet = (): void => undefined;

let child: string;
let from: BatchDesk;
let folder: string;
/** An undisturbed export, and the result of its undisturbed import. */
let exported: WrittenDataExport;
let imported: Held;
/** Numbers of steps of an export and an import; `store`: import steps that use the data. */
let steps: Readonly<Record<'write' | 'import' | 'store', number>>;

beforeAll(async () => {
  child = await bundleChild('core/takeout/children/killed-takeout.ts');
  folder = mkdtempSync(path.join(tmpdir(), 'desk-takeout-kills-'));
  from = await startBatchDesk('v1', { files: { ...createMemoryFiles(), ...createFiles() } });
  await fill(from);
  const [writing, reading, storing] = [counter(), counter(), counter()];
  exported = await write(from.temp.stores, writing.step);
  using place = tempDatabase();
  await importInto(place.stores, reading.step);
  imported = held(place.stores);
  using other = tempDatabase();
  await importInto(other.stores, storing.step, quiet);
  steps = { write: writing.count(), import: reading.count(), store: storing.count() };
}, TIMEOUT_MS);
afterAll(() => {
  from[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/** One item of each kind, of a sent and an unsent batch. */
async function fill({ desk, connectionId, ...of }: BatchDesk): Promise<void> {
  const { api, bytes } = desk;
  const pdf = await formPdf('Hyresavtal', ['tenant']);
  for (const title of ['Stays', 'Goes out']) {
    const content = { api: 'v1' as const, body: bodyV1(title) };
    const { id } = await api['drafts.create']({ content, connectionId });
    const file = await api['drafts.attach']({ id, name: 'Avtal.pdf', bytes: bytes.put(pdf) });
    const attachments = [{ type: 'BASE64', category: 'AGREEMENT', file: file.id }];
    const body = DraftBodyV1.parse({ ...content.body, attachments });
    const { revision } = await api['drafts.show']({ id });
    await api['drafts.save']({ id, revision, connectionId, content: { api: 'v1', body } });
    if (title === 'Stays') continue;
    await api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
    await api['outbox.run']({});
  }
  await api['people.save']({ id: null, entry: entryOf({ firstName: 'Bo', email: 'bo@x.se' }) });
  const content = { api: 'v1' as const, parties: bodyV1('Group').parties };
  await api['people.saveGroup']({ name: 'Tenants', content });
  const template = await addLease(desk);
  const batch = { desk, connectionId, ...of };
  const sent = await addBatch(batch, template, people(2));
  const { revision } = await api['batches.show']({ id: sent.id });
  const send = { id: sent.id, confirm: 2, revision, holdSeconds: 0 };
  await desk.finish((await api['batches.send'](send)).jobId);
  await addBatch(batch, template, people(3));
}

interface Held {
  readonly people: readonly unknown[];
  /** Each item with all its parts, by ID. */
  readonly things: ReadonlyMap<string, unknown>;
}

function held({ drafts, templates, batches, people: book }: Stores): Held {
  const draftOf = (draft: ReturnType<Stores['drafts']['get']>) => ({
    draft,
    files: draft.files.map(({ id }) => sha256(drafts.fileData(draft.id, id).data)),
  });
  const sent = drafts.sent().map(({ draft, ...about }) => ({ ...draftOf(draft), about }));
  const things = [
    ...[...drafts.list().map(draftOf), ...sent].map((one) => [one.draft.id, one] as const),
    ...templates.list().map(({ id }) => {
      return [id, { template: templates.get(id), pdf: sha256(templates.pdf(id)) }] as const;
    }),
    ...batches.list().map(({ id }) => {
      const about = { batch: batches.get(id), file: batches.file(id).sha256 };
      return [id, { ...about, rows: batches.rows(id) }] as const;
    }),
    ...book.groups().map((group) => [group.id, { group, in: book.members(group.id) }] as const),
  ];
  return { people: book.portion(null, -1, 1000).rows, things: new Map<string, unknown>(things) };
}

class Ended extends Error {}

function counter(endAt: number | null = null) {
  let count = 0;
  const step = (): void => {
    count += 1;
    // Later calls come from a process that no longer exists.
    if (endAt !== null && count >= endAt) throw new Ended();
  };
  return { step, count: () => count };
}

async function write(stores: Stores, step: () => void): Promise<WrittenDataExport> {
  const { result } = await writeDataExport(takeoutPorts(stores, step), folder, never, quiet);
  return result;
}

async function importInto(stores: Stores, step = quiet, stepFiles = step): Promise<void> {
  const ports = takeoutPorts(stores, step, stepFiles);
  await readDataExport(ports, exported.folder, true, never, quiet);
}

/** This number of the steps, including the first and the last. */
const spread = (all: number, many: number) => [
  ...new Set(
    Array.from({ length: many }, (_, at) => 1 + Math.round(((all - 1) * at) / (many - 1))),
  ),
];

async function kill(order: Omit<KilledTakeout, 'key'>, key: Uint8Array): Promise<void> {
  const whole: KilledTakeout = { ...order, key: Buffer.from(key).toString('hex') };
  const working = spawn(process.execPath, [child, JSON.stringify(whole)], { stdio: 'pipe' });
  working.stdin.end();
  const [said, [code, signal]] = await Promise.all([
    text(working.stderr),
    once(working, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  expect([said, wasKilled(code, signal)]).toEqual(['', true]);
}

describe('an interrupted import', () => {
  /** Expects each existing item to be complete. */
  function expectNothingHalf(after: Held, moment: string): void {
    expect([0, imported.people.length], moment).toContain(after.people.length);
    for (const [id, one] of after.things) expect(one, moment).toEqual(imported.things.get(id));
  }

  it(
    'leaves no partial data at any step, and is completed by the next import',
    async () => {
      expect(steps.store).toBeGreaterThan(30);
      for (let endAt = 1; endAt <= steps.store; endAt += 1) {
        using place = tempDatabase();
        const { step } = counter(endAt);
        await expect(importInto(place.stores, step, quiet)).rejects.toThrow(Ended);
        expectNothingHalf(held(place.stores), `step ${endAt}`);
        await importInto(place.stores);
        expect(held(place.stores), `after step ${endAt}`).toEqual(imported);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'leaves no partial data even if its process is killed',
    async () => {
      for (const killAt of spread(steps.import, KILLS)) {
        using place = tempDatabase();
        place.database.close();
        const { file, key } = place;
        await kill({ what: 'import', file, folder: exported.folder, killAt }, key);
        const database = openDatabase({ file, key, now: TAKEOUT_NOW });
        const stores = createStores(database);
        expectNothingHalf(held(stores), `step ${killAt}`);
        await importInto(stores);
        expect(held(stores), `after step ${killAt}`).toEqual(imported);
        database.close();
      }
    },
    TIMEOUT_MS,
  );
});

describe('an interrupted data export', () => {
  const manifestIn = (place: string) =>
    DataExportManifest.parse(JSON.parse(readFileSync(path.join(place, 'manifest.json'), 'utf8')));

  /** Expects an export to be complete with its list, and rejected as incomplete without it. */
  async function expectRefusedOrWhole(within: string, moment: string): Promise<void> {
    for (const name of readdirSync(within)) {
      using place = tempDatabase();
      const left = path.join(within, name);
      const looked = readDataExport(takeoutPorts(place.stores, quiet), left, false, never, quiet);
      if (readdirSync(left).includes('manifest.json')) {
        await looked;
        expect(manifestIn(left).files, moment).toEqual(manifestIn(exported.folder).files);
      } else {
        await expect(looked, moment).rejects.toMatchObject({
          failure: {
            code: 'invalid',
            reason: 'not-an-export',
            message: 'manifest.json is missing',
          },
        });
      }
    }
  }

  function newFolder(name: string): string {
    const place = path.join(folder, name);
    mkdirSync(place);
    return place;
  }

  it(
    'leaves a rejected or complete folder at any step; the next export has the same files',
    async () => {
      const { stores } = from.temp;
      const before = held(stores);
      for (const endAt of spread(steps.write, ENDS)) {
        const within = newFolder(`ended-${endAt}`);
        const ports = takeoutPorts(stores, counter(endAt).step);
        await expect(writeDataExport(ports, within, never, quiet)).rejects.toThrow(Ended);
        await expectRefusedOrWhole(within, `step ${endAt}`);
      }
      expect(held(stores)).toEqual(before);
      const again = await write(stores, quiet);
      expect(manifestIn(again.folder).files).toEqual(manifestIn(exported.folder).files);
    },
    TIMEOUT_MS,
  );

  it(
    'leaves only such a folder and the data unchanged, even if its process is killed',
    async () => {
      const before = held(from.temp.stores);
      for (const killAt of spread(steps.write, KILLS)) {
        const within = newFolder(`killed-${killAt}`);
        const { file, key } = from.temp;
        await kill({ what: 'write', file, folder: within, killAt }, key);
        await expectRefusedOrWhole(within, `step ${killAt}`);
      }
      expect(held(from.temp.stores)).toEqual(before);
    },
    TIMEOUT_MS,
  );
});
