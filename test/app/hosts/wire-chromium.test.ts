import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAssets } from '../../../electron/hosts/page/assets.ts';
import { type ChromiumWindow, openChromium } from '../../../electron/hosts/chromium/host.ts';
import { findBrowser } from '../../../electron/hosts/find-browser.ts';
import { Settings, defaultSettings } from '../../../shared/contract/settings.ts';
import type { Emit, Handlers } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { type Client, connect } from '../../../shared/wire.ts';
import { pageChannel } from '../support/page-channel.ts';

const JOB = '5a1f8c1e-7a50-4f0e-9d5b-0c1a2b3c4d5e';
const settings: Settings = { ...defaultSettings, archivePattern: '{title}' };

const called: unknown[] = [];
/** Handlers of the core that the tests call. */
const handlers: Partial<Handlers> = {
  'settings.read': () => Promise.resolve(settings),
  'settings.write': (change) => {
    called.push(change);
    return Promise.resolve(Settings.parse({ ...settings, ...change }));
  },
  'jobs.cancel': () =>
    Promise.reject(new AppError('conflict', 'It ended', { reason: 'desk-busy' })),
  'host.notify': () => Promise.reject(new Error('a stack that stays here')),
  'connections.list': () => Promise.resolve([{ name: 'half a connection' } as never]),
};

let folder: string;
let shown: ChromiumWindow;
let client: Client;
let emit: Emit;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-wire-'));
  await mkdir(path.join(folder, 'page'));
  await writeFile(path.join(folder, 'page', 'index.html'), '<!doctype html><title>Desk</title>');
  const browserPath = findBrowser();
  if (browserPath === undefined) throw new Error('No Chromium is installed');
  const desk = {
    handlers: handlers as Handlers,
    toFailure: (error: unknown) =>
      error instanceof AppError
        ? error.failure
        : ({ code: 'unexpected', message: 'Something went wrong', ref: 'R1' } as const),
    setEmit: (next: Emit) => {
      emit = next;
    },
    serveBytes: () => Promise.resolve(null),
    acceptBytes: () => JOB,
  };
  shown = await openChromium(async () => desk, createAssets(path.join(folder, 'page')), {
    headless: true,
    locale: 'en-GB',
    browserPath,
    profilesDir: path.join(folder, 'chromium'),
    size: null,
  });
  await shown.show();
  client = connect(await pageChannel(shown.page));
});

afterAll(async () => {
  await shown.close();
  await shown.closed;
  await rm(folder, { recursive: true, force: true });
});

it('a call of the page crosses the pipe and returns its answer', async () => {
  expect(await client.api['settings.read']({})).toEqual(settings);
});

it('a failure of a call arrives in the page unchanged', async () => {
  const failed = client.api['jobs.cancel']({ jobId: JOB as never });
  await expect(failed).rejects.toMatchObject({
    failure: { code: 'conflict', message: 'It ended', reason: 'desk-busy' },
  });
});

it('an unexpected error reaches the page as a reference, without its message', async () => {
  const failed = await client.api['host.notify']({ title: '', body: '' }).catch(
    (error: unknown) => error,
  );
  expect(failed).toMatchObject({ failure: { code: 'unexpected', ref: 'R1' } });
  expect(JSON.stringify(failed)).not.toContain('a stack');
});

it('invalid input is refused before it reaches a handler', async () => {
  called.length = 0;
  const failed = client.api['settings.write']({ holdSeconds: 7 as never });
  await expect(failed).rejects.toMatchObject({
    failure: { code: 'invalid', fields: { holdSeconds: expect.any(String) as string } },
  });
  expect(called).toEqual([]);
});

it('an invalid answer is not sent to the page', async () => {
  await expect(client.api['connections.list']({})).rejects.toMatchObject({
    failure: { code: 'unexpected' },
  });
});

it('a hundred concurrent calls each get their own answer', async () => {
  const patterns = Array.from({ length: 100 }, (_, at) => `{title}-${String(at)}`);
  const answers = await Promise.all(
    patterns.map((archivePattern) => client.api['settings.write']({ archivePattern })),
  );
  expect(answers.map(({ archivePattern }) => archivePattern)).toEqual(patterns);
});

it('an event reaches only the listeners of that event', async () => {
  const received: unknown[] = [];
  const both = new Promise<void>((resolve) => {
    client.on('jobs.changed', (data) => received.push(data));
    client.on('settings.changed', () => resolve());
  });
  emit('jobs.changed', { jobId: JOB as never });
  emit('settings.changed', {});
  await both;
  expect(received).toEqual([{ jobId: JOB }]);
});

it('a reloaded page receives its answers', async () => {
  await shown.page.reload();
  await shown.page.evaluate(() => {
    const deliver = Reflect.get(window, '__heard') as (message: string) => Promise<void>;
    window.desk.onMessage((message) => void deliver(message));
  });
  expect(await client.api['settings.read']({})).toEqual(settings);
});
