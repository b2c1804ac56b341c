import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesk, type Desk } from '../../electron/compose/compose.ts';
import { type Demo, startDemo } from '../../electron/demo/start.ts';
import { examineHost } from '../../electron/hosts/examine.ts';
import type { JobId } from '../../shared/model/ids.ts';
import { connectDirectly } from '../../shared/wire.ts';
import { bodyV2 } from '../support/fakes/memory-desk.ts';
import { noHostFeatures, offersNothing } from '../support/fakes/no-host-features.ts';

let folder: string;
let opened: Desk[] = [];
let demos: Demo[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-compose-'));
  writeFileSync(path.join(folder, 'key'), randomBytes(32), { mode: 0o600 });
});

afterEach(async () => {
  await Promise.all(opened.map((desk) => desk.close()));
  await Promise.all(demos.map((demo) => demo.close()));
  opened = [];
  demos = [];
  rmSync(folder, { recursive: true });
});

function start(demo?: Demo) {
  const desk = createDesk({
    dataDir: path.join(folder, 'data'),
    stateDir: path.join(folder, 'state'),
    vault: { keyfile: path.join(folder, 'key') },
    version: '0',
    locale: 'en',
    platform: 'linux',
    documentsFolder: folder,
    interactive: false,
    examineHost,
    features: { describe: offersNothing, ...noHostFeatures },
    ...(demo !== undefined && { demo }),
  });
  opened.push(desk);
  const { api, on, emit } = connectDirectly(desk.handlers, desk.toFailure);
  desk.setEmit(emit);
  const finish = (jobId: JobId) =>
    new Promise<void>((resolve) => {
      const look = async () => {
        if ((await api['jobs.show']({ jobId })).state !== 'running') resolve();
      };
      on('jobs.changed', () => void look());
      void look();
    });
  return { desk, api, finish };
}

describe('the desk on real adapters', () => {
  it('keeps its data closed until it is opened, and keeps written settings', async () => {
    const first = start();
    await expect(first.api['settings.read']({})).rejects.toMatchObject({
      failure: { code: 'vault' },
    });
    expect(await first.desk.open()).toMatchObject({ open: true, store: 'keyfile', vault: 'ready' });
    await first.api['settings.write']({ theme: 'dark' });
    await first.desk.close();
    const second = start();
    await second.desk.open();
    expect(await second.api['settings.read']({})).toMatchObject({ theme: 'dark' });
  });

  it('reports a wrong key, and leaves the data unchanged', async () => {
    const first = start();
    await first.desk.open();
    await first.desk.close();
    const file = path.join(folder, 'data', 'desk.db');
    const before = readFileSync(file);
    writeFileSync(path.join(folder, 'key'), randomBytes(32));
    const access = await start().desk.open();
    expect(access).toMatchObject({ open: false, vault: 'wrong-key' });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('opens the demo profile, with demo data only, next to data that cannot be opened', async () => {
    const { desk, api } = start();
    rmSync(path.join(folder, 'key'));
    expect(await desk.open()).toMatchObject({ open: false, vault: 'entry-missing' });
    const access = await api['access.openDemoProfile']({});
    expect(access).toMatchObject({ open: true, profile: 'demo' });
    expect(await api['connections.addDemo']({})).toHaveLength(2);
    expect(readdirSync(path.join(folder, 'data'))).not.toContain('desk.db');
  });

  it('lets two processes of one data folder use one demo service', async () => {
    const [first, second] = [start(), start()];
    await first.desk.open();
    await second.desk.open();
    const [connection] = await first.api['connections.addDemo']({});
    if (connection === undefined) throw new Error('no demo connection');
    const addresses = [first, second].map(async ({ api }) => {
      const { ok, steps } = await api['connections.test']({ id: connection.id });
      return [ok, steps[0]?.value];
    });
    const [one, two] = await Promise.all(addresses);
    expect(one?.[0]).toBe(true);
    expect(two).toEqual(one);
  });

  it('has a sample template and batch, and sends all rows after one cell is corrected', async () => {
    const { desk, api, finish } = start();
    await desk.open();
    await api['connections.addDemo']({});
    const { template, batch: id } = await api['samples.add']({});
    expect(await api['templates.list']({})).toMatchObject([{ id: template, unmapped: 0 }]);
    const { matches } = await api['batches.show']({ id });
    expect(matches.filter(({ column }) => column === null)).toEqual([]);
    const check = await api['batches.check']({ id });
    expect(check).toMatchObject({ rows: 12, ready: 11, errors: 1, warnings: 0, everywhere: [] });
    const wrong = await api['batches.nextError']({ id, after: { row: 0, column: 0 } });
    if (wrong === null) throw new Error('no cell to put right');
    await api['batches.edit']({ id, edits: [{ ...wrong, text: 'soren@example.com' }] });
    const { revision } = await api['batches.show']({ id });
    const { jobId } = await api['batches.send']({ id, confirm: 12, revision });
    await finish(jobId);
    await api['outbox.run']({});
    expect(await api['batches.progress']({ id })).toMatchObject({ sent: 12, needsPerson: 0 });
  });

  it('adds the samples once, even if two callers request them at the same time (SC-30)', async () => {
    const { desk, api } = start();
    await desk.open();
    await expect(api['samples.add']({})).rejects.toMatchObject({ failure: { code: 'not-found' } });
    await api['connections.addDemo']({});
    const [added, meanwhile] = await Promise.all([api['samples.add']({}), api['samples.add']({})]);
    expect([meanwhile, await api['samples.add']({})]).toEqual([added, added]);
    expect(await api['templates.list']({})).toHaveLength(1);
    expect(await api['batches.list']({})).toHaveLength(1);
  });

  it('sends a draft once over real HTTP, although the answer is lost and the program restarts', async () => {
    const demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    demos.push(demo);
    const first = start(demo);
    await first.desk.open();
    const [, v2] = await first.api['connections.addDemo']({});
    if (v2 === undefined) throw new Error('no demo connection');
    const content = { api: 'v2', body: bodyV2('Lease 7') } as const;
    const { id } = await first.api['drafts.create']({ content, connectionId: v2.id });
    demo.fault({ method: 'POST', path: /agreements$/, do: { kind: 'reset-after' } });
    const order = { id, connectionId: v2.id, holdSeconds: 0, confirm: 1 };
    const { ref } = await first.api['drafts.send'](order);
    await first.api['outbox.run']({});
    await first.desk.close();

    const second = start(demo);
    await second.desk.open();
    await second.api['outbox.run']({});
    expect(await second.api['outbox.show']({ ref })).toMatchObject({
      state: 'unknown',
      attempts: 1,
    });
    const { jobId } = await second.api['agreements.sync']({ connectionId: v2.id });
    await second.finish(jobId);
    await second.api['outbox.look']({ ref });
    expect(await second.api['outbox.show']({ ref })).toMatchObject({
      state: 'sent',
      remoteId: demo.agreements.v2()[0]?.referenceNumber,
    });
    expect(demo.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(demo.agreements.v2()).toHaveLength(1);
  });

  it('ends the reading of a large sheet when the program closes', async () => {
    const { desk, api } = start();
    await desk.open();
    const lines = Array.from({ length: 10_000 }, (_, at) => `Ada;a${at}@example.com`);
    const bytes = desk.acceptBytes(Buffer.from(['Name;E-mail', ...lines].join('\n')));
    const about = { name: 'Leases', fileName: 'leases.csv', connectionId: null, templateId: null };
    const created = api['batches.create']({ ...about, bytes, choices: {} });
    const [ended] = await Promise.allSettled([created, desk.close()]);
    expect(ended).toMatchObject({ reason: { failure: { code: 'cancelled' } } });
  });

  it.skipIf(process.platform === 'win32')(
    'removes other users’ access to its data folder, and reports that they had access (SEC-L7)',
    async () => {
      const data = path.join(folder, 'data');
      const first = start();
      await first.desk.open();
      await first.desk.close();
      chmodSync(data, 0o777);
      const { desk, api } = start();
      await desk.open();
      expect(statSync(data).mode & 0o777).toBe(0o700);
      const { checks } = await api['host.doctor']({});
      expect(checks.find(({ name }) => name === 'data folder')).toMatchObject({
        ok: true,
        note: expect.stringMatching(/WARNING: others could use it \(mode 0777\)/) as string,
      });
    },
  );

  it.skipIf(process.platform === 'win32')(
    'leaves a data folder with other files unchanged, and reports that other users can use it (SEC-L7)',
    async () => {
      const data = path.join(folder, 'data');
      mkdirSync(data);
      writeFileSync(path.join(data, 'homework.txt'), 'mine');
      chmodSync(data, 0o1777);
      const { desk, api } = start();
      await desk.open();
      expect(statSync(data).mode & 0o7777).toBe(0o1777);
      const { checks } = await api['host.doctor']({});
      expect(checks.find(({ name }) => name === 'data folder')).toMatchObject({
        ok: false,
        note: expect.stringMatching(/mode 1777.*holds other things/) as string,
      });
    },
  );

  it('reports in its diagnostics that the data folder cannot be created, and what to do', async () => {
    writeFileSync(path.join(folder, 'data'), 'a file where the folder should be');
    const { desk, api } = start();
    await desk.open().catch(() => undefined);
    const { checks } = await api['host.doctor']({});
    expect(checks.find(({ name }) => name === 'data folder')).toMatchObject({
      ok: false,
      finding: 'folder-unusable',
      note: expect.stringMatching(/ENOTDIR.*--data/) as string,
    });
    expect(checks.map(({ name }) => name)).toContain('clock');
  });

  it('reports in its diagnostics each check, no secret, and that root has no sandbox (SEC-L11)', async () => {
    const { desk, api } = start();
    await desk.open();
    const { checks } = await api['host.doctor']({});
    const ofTheHost = new Set(examineHost().map(({ name }) => name));
    const named = checks.filter(({ name }) => !ofTheHost.has(name));
    expect(named.map(({ name, ok }) => [name, ok])).toEqual([
      ['version', true],
      ['data folder', true],
      ['credential store', true],
      ['database', true],
      ['copies before upgrades', true],
      ['LibreOffice', true],
      ['proxy', true],
      ['certificates', true],
      ['service clock', true],
      ['clock', true],
    ]);
    const key = readFileSync(path.join(folder, 'key'));
    const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
    const warned = checks.some(({ note }) => note.includes('has no sandbox'));
    expect(warned).toBe(isRoot);
    expect(JSON.stringify(checks)).not.toContain(key.toString('hex'));
  });
});
