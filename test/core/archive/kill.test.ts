// tier: all
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { agreementsChosenBy } from '../../../electron/core/archive/choice.ts';
import type { FaultAction } from '../../../electron/demo/server/faults.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import { ArchiveResult } from '../../../shared/contract/archive.ts';
import { type TempFolder, tempFolder } from '../../adapters/sqlite/temp-database.ts';
import { createArchiving } from '../../support/desks/archiving.ts';
import { bundleChild } from '../../support/bundle-child.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/* A small version of the acceptance run; ARCHIVE_MANY sets its size (README, "What is tested"). */
const MANY = Number(process.env['ARCHIVE_MANY'] ?? '120');
const KILLS = Number(process.env['ARCHIVE_KILLS'] ?? '5');
const DOWNLOAD = /\/(?:download|file)(?:$|\?)/;
/** Maximum number of runs after the last kill. A fault can outlast all retries of a run. */
const MAX_RUNS = 8;

const faults: readonly FaultAction[] = [
  { kind: 'cut-body', fraction: 0.1 },
  { kind: 'cut-body', fraction: 0.5 },
  { kind: 'cut-body', fraction: 0.999 },
  { kind: 'cut-json' },
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'wrong-length', by: 5 },
  { kind: 'wrong-length', by: -5 },
  { kind: 'wrong-type', contentType: 'text/html' },
  { kind: 'wrong-type', contentType: 'application/octet-stream' },
  { kind: 'html' },
  { kind: 'delay', ms: 300 },
  { kind: 'drip', bytes: 512, everyMs: 20 },
  { kind: 'status', status: 200, contentType: 'application/pdf', body: '' },
  { kind: 'status', status: 200, contentType: 'application/pdf', body: '{"errors":[]}' },
  { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  { kind: 'status', status: 503 },
];

let program: string;
let demo: Demo;
let place: TempFolder;
let folder = '';
/** Called for each requested download. */
let onDownload: () => void = () => {};
let downloads = 0;

beforeAll(async () => {
  program = await bundleChild('core/archive/children/archive-once.ts');
  place = tempFolder();
  folder = path.join(place.folder, 'archive');
  mkdirSync(folder);
  demo = await startDemo({ dataDir: null, seed: MANY, counterpartDelayMs: null });
  using open = opened();
  await open.archiving.syncing.runBoth(true);
  let turn = 0;
  demo.weather(
    ({ url }) => {
      if (!DOWNLOAD.test(url)) return null;
      turn += 1;
      // Every tenth download gets the next fault.
      return turn % 10 === 0 ? (faults[(turn / 10) % faults.length] ?? null) : null;
    },
    ({ url }) => {
      if (!DOWNLOAD.test(url)) return;
      downloads += 1;
      onDownload();
    },
  );
}, 600_000);
afterAll(async () => {
  await demo.close();
  place[Symbol.dispose]();
});

function opened() {
  const database = openDatabase({ ...place, now: Date.now() });
  const stores = createStores(database);
  return {
    stores,
    archiving: createArchiving(stores, demo),
    [Symbol.dispose]: () => {
      database.close();
    },
  };
}

/** Runs the archive in its own process, killed after `killAfter` downloads; null if killed. */
async function run(killAfter: number | null) {
  const { v1Url, v2Url, credentials } = demo;
  const order = {
    file: place.file,
    key: Buffer.from(place.key).toString('hex'),
    folder,
    place: { v1Url, v2Url, credentials },
  };
  const child: ChildProcess = spawn(process.execPath, [program, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killAt = killAfter === null ? Infinity : downloads + killAfter;
  onDownload = () => {
    if (downloads >= killAt) child.kill('SIGKILL');
  };
  const output = child.stdout === null ? Promise.resolve('') : text(child.stdout);
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  onDownload = () => {};
  if (signal === 'SIGKILL') return null;
  const { result, failure } = JSON.parse(await output) as { result: unknown; failure: unknown };
  return { result: ArchiveResult.parse(result), failure };
}

const hashOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');

/** The agreements that everyone signed, as a run without a filter selects them. */
async function signedOf({ archiving }: ReturnType<typeof opened>): Promise<readonly Agreement[]> {
  const all: Agreement[] = [];
  for await (const some of agreementsChosenBy(archiving.ports, {})) all.push(...some);
  return all;
}

/** Hashes of the service’s own PDF for each agreement, without faults. */
async function hashesOfService(): Promise<Map<string, string>> {
  demo.weather(() => null);
  using open = opened();
  const { archiving } = open;
  const hashes = new Map<string, string>();
  const { signal } = new AbortController();
  for (const { connectionId, id } of await signedOf(open)) {
    const service = archiving.syncing.services.get(connectionId);
    const download = await service?.download(id, signal);
    const chunks: Uint8Array[] = [];
    for await (const chunk of download?.chunks ?? []) chunks.push(chunk);
    hashes.set(`${connectionId} ${id}`, hashOf(Buffer.concat(chunks)));
  }
  return hashes;
}

function filesIn(where: string): string[] {
  return readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe('an archive run with cut, dropped and mislabelled answers that is killed repeatedly', () => {
  it(
    'ends with every PDF saved once, as the service has it (T1-86, TX-41, TX-42, TX-45)',
    { timeout: HOUR },
    async () => {
      let signed: number;
      {
        using open = opened();
        signed = (await signedOf(open)).length;
      }
      const step = Math.max(2, Math.floor(signed / (KILLS + 2)));
      let killed = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        // The kills hit different steps of the work on a file.
        if ((await run(Math.max(1, step - (kill % 3)))) === null) killed += 1;
        const halves = filesIn(folder).filter((file) => file.endsWith('.pdf'));
        for (const file of halves) {
          expect(readFileSync(file).subarray(-8).toString('latin1')).toContain('%%EOF');
        }
      }
      expect(killed).toBe(KILLS);
      let runs = 0;
      let last = await run(null);
      while (last !== null && (last.result.failed.length > 0 || last.failure !== null)) {
        runs += 1;
        expect(runs).toBeLessThan(MAX_RUNS);
        last = await run(null);
      }
      const before = downloads;
      expect((await run(null))?.result).toMatchObject({ saved: 0, present: signed, failed: [] });
      expect(downloads).toBe(before);

      const expected = await hashesOfService();
      expect(expected.size).toBe(signed);
      const pdfs = filesIn(folder).filter((file) => file.endsWith('.pdf'));
      expect(pdfs.map((file) => hashOf(readFileSync(file))).toSorted()).toEqual(
        [...expected.values()].toSorted(),
      );
      expect(filesIn(folder).filter((file) => /\.(?:part|rejected|tmp)$/.test(file))).toEqual([]);
      // Partial files of killed runs occupied no file name, so no file needed an id in its name.
      expect(pdfs.filter((file) => file.endsWith('].pdf'))).toEqual([]);
      using open = opened();
      const { result } = await open.archiving.verify(folder);
      expect(result).toMatchObject({
        files: signed,
        ok: signed,
        changed: [],
        missing: [],
        unknown: [],
        agreements: { listed: signed, saved: signed, notSaved: [] },
      });
      const saved = open.stores.archive
        .inFolder(folder)
        .map(({ key, sha256 }) => [`${key.connectionId} ${key.id}`, sha256] as const);
      expect(new Map(saved)).toEqual(expected);
      console.info(
        `${signed} signed agreements, ${killed} kills, ${before} downloads, ${runs} runs again`,
      );
    },
  );
});
