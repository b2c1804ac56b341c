// tier: all
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { ArchiveResult, type ArchiveRuleId } from '../../../shared/contract/archive.ts';
import { IntakeResult } from '../../../shared/contract/intake.ts';
import { FOLDER_MARK, readFolderMark } from '../../../shared/rules/office/folder-mark.ts';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';

const TIMEOUT_MS = 120_000;
const DOWNLOAD = /\/download$/;
/** Real milliseconds of a slow download; the desks’ clock is moved by the test. */
const SLOW = 4000;

describe.skipIf(postgresPrograms === null)('a folder that two computers of an office reach', () => {
  let office: OfficeDesks;
  let service: Demo;
  let anna: HomeDesk;
  let bo: HomeDesk;
  let folder = '';
  let now = 0;

  beforeEach(async () => {
    now = Date.now();
    folder = await mkdtemp(path.join(tmpdir(), 'office-folder-'));
    service = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null });
    office = await startOfficeDesks({ now: () => now });
    [anna, bo] = [await office.add('Anna'), await office.add('Bo')];
    for (const { api, finish } of [anna, bo]) {
      const { v1Url: url, credentials } = service;
      const about = { name: 'Service', api: 'v1', environment: 'test', accountId: null } as const;
      await api['connections.add']({ ...about, url, secret: credentials.token });
      await finish(await api['agreements.sync']({}));
    }
  }, TIMEOUT_MS);
  afterEach(async () => {
    await office.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  const mark = () => {
    const file = path.join(folder, FOLDER_MARK);
    return existsSync(file) ? readFolderMark(readFileSync(file, 'utf8')) : null;
  };
  const downloads = () => service.requests.filter(({ url }) => DOWNLOAD.test(url));
  /** Makes the office treat the lease of a silent desk as expired. */
  const expire = () => {
    const sql = "UPDATE signing_desk.lease SET until = now() - interval '1 second'";
    return office.postgres.run(sql, 'signing_desk');
  };
  /** Makes the mark in the folder older by the office's clock. */
  const age = (milliseconds: number): void => {
    const old = mark();
    if (old === null) throw new Error('The folder has no mark');
    const done = Object.entries(old.done).map(
      ([what, one]) => [what, { ...one, at: one.at - milliseconds }] as const,
    );
    const text = JSON.stringify({ ...old, done: Object.fromEntries(done) });
    writeFileSync(path.join(folder, FOLDER_MARK), text);
  };
  const pdfs = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.pdf'),
    );
  const manifest = () =>
    readFileSync(path.join(folder, 'manifest-sha256.txt'), 'utf8').split('\n').filter(Boolean);

  describe('as an archive folder', () => {
    let rules: Map<HomeDesk, ArchiveRuleId>;

    beforeEach(async () => {
      rules = new Map();
      for (const one of [anna, bo]) rules.set(one, await addRule(one));
      now += DAY;
    });

    const addRule = async ({ api }: HomeDesk, more: object = {}): Promise<ArchiveRuleId> => {
      const when = { kind: 'daily', at: '00:00' } as const;
      const rule = { name: 'Nightly', folder, filter: {}, beside: [], when, ...more };
      return (await api['archive.saveRule'](rule)).id;
    };
    const run = async (one: HomeDesk, isDue = true) => {
      const id = rules.get(one);
      if (id === undefined) throw new Error('No rule');
      const job = await one.finish(await one.api['archive.runRule']({ id, isDue }));
      return { failure: job.failure, result: ArchiveResult.nullable().parse(job.result) };
    };
    const last = async ({ api }: HomeDesk) => (await api['archive.rules']({}))[0]?.last;

    it('gets each agreement once from one of the computers, and the other reports who archived it', async () => {
      const first = await run(anna);
      expect(first.failure).toBeNull();
      const saved = pdfs();
      expect(saved.length).toBe(first.result?.saved);
      expect(saved.length).toBeGreaterThan(0);
      const asked = downloads().length;
      const second = await run(bo);
      expect(second).toMatchObject({ failure: null, result: { saved: 0, doneBy: 'Anna' } });
      expect(await last(bo)).toMatchObject({ doneBy: 'Anna', failure: null });
      expect(downloads()).toHaveLength(asked);
      expect(pdfs()).toEqual(saved);
      expect(mark()).toMatchObject({ number: 1 });
    });

    it('stays with its last computer for a while, then the other one takes it over with all its files', async () => {
      await run(anna);
      const [saved, listed] = [pdfs(), manifest()];
      await run(bo);
      const midnight = new Date(now).setHours(24, 0, 0, 0);
      age(midnight - now);
      now = midnight + MINUTE;
      expect(await run(bo)).toMatchObject({ failure: null, result: { saved: 0, doneBy: 'Anna' } });
      now = midnight + 20 * MINUTE;
      const taken = await run(bo);
      expect(taken).toMatchObject({ failure: null, result: { failed: [] } });
      expect(taken.result?.doneBy).toBeUndefined();
      expect(pdfs()).toEqual(saved);
      expect(manifest().toSorted()).toEqual(listed.toSorted());
      expect(mark()?.number).toBeGreaterThan(1);
      // Now Anna finds the work done by Bo.
      expect(await run(anna)).toMatchObject({ result: { doneBy: 'Bo' } });
    });

    it('is refused to a person while another computer writes to it, and the refusal names its user', async () => {
      service.fault({ path: DOWNLOAD, do: { kind: 'delay', ms: SLOW } });
      const working = run(anna);
      await expect.poll(() => downloads().length, { timeout: TIMEOUT_MS }).toBeGreaterThan(0);
      expect(await run(bo, false)).toMatchObject({
        failure: { reason: 'task-elsewhere', message: expect.stringContaining('Anna') },
      });
      expect(await run(bo)).toMatchObject({ failure: null, result: { doneBy: 'Anna' } });
      expect(await bo.api['office.tasks']({})).toMatchObject([
        { kind: 'archive', title: 'Nightly', seat: 'Anna', isOwn: false },
      ]);
      expect((await working).failure).toBeNull();
      expect(await bo.api['office.tasks']({})).toEqual([]);
    });

    it('is no longer written to by a computer that slept while another one took it over', async () => {
      service.fault({ path: DOWNLOAD, do: { kind: 'delay', ms: SLOW } });
      const sleeping = run(anna);
      await expect.poll(() => mark()?.number ?? 0, { timeout: TIMEOUT_MS }).toBe(1);
      now += MINUTE;
      // The desk has just checked its lease.
      await expect.poll(() => pdfs().length, { timeout: TIMEOUT_MS }).toBeGreaterThan(3);
      await expire();
      const taken = await run(bo, false);
      expect(taken).toMatchObject({ failure: null, result: { failed: [] } });
      const [saved, listed] = [pdfs(), manifest()];
      // A check of the lease counts for only one second, and the clock has moved on.
      now += MINUTE;
      expect(await sleeping).toMatchObject({ failure: { reason: 'lease-lost' } });
      expect([pdfs(), manifest()]).toEqual([saved, listed]);
      // The lost lease is not recorded as a failure of the rule.
      expect(await last(anna)).toBeNull();
    });

    it('is written to by only one of two computers that start to use it while the office cannot be reached', async () => {
      await office.postgres.stop('fast');
      // With one download at a time, the desk does no other work while it waits.
      await addRule(anna, { id: rules.get(anna), parallel: 1 });
      service.fault({ path: DOWNLOAD, do: { kind: 'delay', ms: SLOW } });
      const first = run(anna);
      await expect.poll(() => downloads().length, { timeout: TIMEOUT_MS }).toBeGreaterThan(0);
      now += MINUTE;
      const second = await run(bo, false);
      expect(second).toMatchObject({ failure: null, result: { failed: [] } });
      const [saved, listed] = [pdfs(), manifest()];
      now += MINUTE;
      expect(await first).toMatchObject({ failure: { reason: 'lease-lost' } });
      expect([pdfs(), manifest()]).toEqual([saved, listed]);
      expect(listed).toHaveLength(second.result?.listed ?? 0);
      await office.postgres.start();
      // A number from the office is higher than the local number, which is used without the office.
      const before = mark()?.number ?? 0;
      expect(await run(anna, false)).toMatchObject({ failure: null, result: { failed: [] } });
      expect(mark()?.number).toBeGreaterThan(before);
      expect(pdfs()).toEqual(saved);
    });

    it('is archived again by a computer that sees more agreements of the same service', async () => {
      await run(anna);
      const open = service.agreements.v1().find(({ state }) => state === 'READY_TO_SIGN');
      if (open === undefined) throw new Error('Nothing waits for a signature');
      service.act('v1', open.id, 'sign-all');
      await bo.finish(await bo.api['agreements.sync']({}));
      now += 20 * MINUTE;
      const { failure, result } = await run(bo);
      expect(failure).toBeNull();
      expect(result?.doneBy).toBeUndefined();
      expect(pdfs()).toHaveLength(result?.listed ?? 0);
    });

    it('is archived again by a computer that also reaches another service', async () => {
      const other = await startDemo({ dataDir: null, seed: 'full', counterpartDelayMs: null });
      const { v1Url: url, credentials } = other;
      const about = { name: 'Other', api: 'v1', environment: 'test', accountId: null } as const;
      await bo.api['connections.add']({ ...about, url, secret: credentials.token });
      await bo.finish(await bo.api['agreements.sync']({}));
      await run(anna);
      const { result } = await run(bo);
      expect(result?.doneBy).toBeUndefined();
      expect(result?.listed).toBeGreaterThan(pdfs().length / 2);
      await other.close();
    });

    it('has no office mark when the computer is in no office', async () => {
      await anna.api['office.leave']({});
      await run(anna);
      expect(existsSync(path.join(folder, FOLDER_MARK))).toBe(false);
    });
  });

  describe('as a watched folder', () => {
    const watch = async (one: HomeDesk) => {
      const terms = { folder, api: 'v1', connectionId: null, templateId: null } as const;
      const job = await one.finish(
        await one.api['intake.watch']({ ...terms, needsData: false, stays: false }),
      );
      return { failure: job.failure, result: IntakeResult.nullable().parse(job.result) };
    };
    const drafts = async ({ api }: HomeDesk) => (await api['drafts.list']({})).length;

    it('gives each file to only one of the two computers', async () => {
      for (let at = 0; at < 5; at += 1) {
        const file = path.join(folder, `Lease ${String(at)}.pdf`);
        writeFileSync(file, await formPdf(`Lease ${String(at)}`, ['tenant']));
        utimesSync(file, now / 1000 - 3600, now / 1000 - 3600);
      }
      const before = (await drafts(anna)) + (await drafts(bo));
      const reasons = new Set<string | null>();
      // A new file is taken only after it stays unchanged.
      for (let round = 0; round < 4; round += 1) {
        for (const { failure } of await Promise.all([watch(anna), watch(bo)])) {
          reasons.add(failure?.reason ?? null);
        }
        now += 5000;
      }
      expect([...reasons].filter((one) => one !== 'task-elsewhere')).toEqual([null]);
      expect((await drafts(anna)) + (await drafts(bo)) - before).toBe(5);
      expect(readdirSync(path.join(folder, 'done'))).toHaveLength(5);
      expect(readdirSync(folder).toSorted()).toEqual([FOLDER_MARK, 'done']);
    });
  });
});
