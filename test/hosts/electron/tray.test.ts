import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { place } from '../../../build/places.ts';
import { hostWords } from '../../../electron/hosts/electron/words.ts';
import type { HostStatus } from '../../../shared/contract/host.ts';
import type { FakeItem } from '../../support/fakes/fake-electron.ts';
import { type StartOptions, startWindow } from '../../support/desks/started-window.ts';

const off: HostStatus = { staysInTray: false, underWay: [], beforeQuitting: null };
const on: HostStatus = { ...off, staysInTray: true };
const words = hostWords.sv;

async function startWithTray(options: StartOptions = {}) {
  const started = await startWindow(options);
  const show = (status: HostStatus) => started.state.setup?.features.status(status);
  show(on);
  const tray = started.electron.seen.trays[0];
  if (tray === undefined) throw new Error('there is no icon');
  return { ...started, tray, show };
}

const labels = (items: readonly FakeItem[]) => items.flatMap(({ label = [] }) => label);

describe('the tray icon', () => {
  it('exists only if closing the window keeps the program running', async () => {
    const started = await startWindow();
    started.state.setup?.features.status(off);
    expect(started.electron.seen.trays).toEqual([]);
    started.state.setup?.features.status(on);
    started.state.setup?.features.status(on);
    expect(started.electron.seen.trays).toHaveLength(1);
    started.state.setup?.features.status(off);
    expect(started.electron.seen.trays[0]?.isGone).toBe(true);
  });

  it('opens the window, shows running work, and quits the program', async () => {
    const { tray, show, window, electron } = await startWithTray();
    expect(labels(tray.menu)).toEqual([words.open, words.idle, words.quit]);
    show({ ...on, underWay: ['Arkiverar', '3 avtal i utkorgen'] });
    expect(labels(tray.menu)).toEqual([words.open, 'Arkiverar', '3 avtal i utkorgen', words.quit]);
    expect(tray.menu.filter(({ enabled }) => enabled === false)).toHaveLength(2);
    tray.menu[0]?.click?.();
    expect(window.calls).toContain('show');
    tray.menu.at(-1)?.click?.();
    expect(electron.seen.asked.map(([name]) => name)).toContain('quit');
  });

  it('opens the window when it is clicked', async () => {
    const { tray, window } = await startWithTray();
    tray.emit('click');
    expect(window.calls).toContain('show');
    expect(tray.tip).toBe('Signing Desk');
  });

  it('opens PDFs and drafts dropped on it on macOS, and ignores other files', async () => {
    const { tray, window, state, folder } = await startWithTray();
    const file = (name: string): string => path.join(folder, name);
    writeFileSync(file('Lease.PDF'), '%PDF-');
    writeFileSync(file('key.pem'), 'secret');
    window.calls.length = 0;
    tray.emit('drop-files', {}, ['Lease.PDF', 'key.pem', 'gone.pdf'].map(file));
    expect(window.calls).toContain('show');
    await expect
      .poll(() => state.arrived)
      .toEqual([
        { kind: 'file', name: 'Lease.PDF', data: Buffer.from('%PDF-') },
        { kind: 'no-file', name: 'key.pem' },
        { kind: 'no-file', name: 'gone.pdf' },
      ]);
  });

  it.each([
    ['linux', 1],
    ['darwin', 2],
  ] as const)('has a picture that fits the bar of %s', async (platform, scaleFactor) => {
    const { electron } = await startWithTray({ platform });
    const [, icon] = electron.seen.asked.find(([name]) => name === 'tray') ?? [];
    expect(icon).toMatchObject({ options: { scaleFactor }, isTemplate: platform === 'darwin' });
    const drawn = readFileSync(place('build/icons/tray.png'));
    expect(icon).toMatchObject({ data: drawn });
  });
});
