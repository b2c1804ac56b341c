import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App } from 'electron';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenForLinks } from '../../../electron/hosts/electron/links.ts';
import { startHost, startWindow } from '../../support/desks/started-window.ts';

const LINK = 'signingdesk:agreement/004711000001';
const OTHER = 'signingdesk:draft?title=Hyra';

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-links-'));
  file = path.join(folder, 'lease.signdraft');
  writeFileSync(file, '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const given = { kind: 'file', name: 'lease.signdraft', data: Buffer.from('{}') };
const held = () => {
  const event = { isHeld: false, preventDefault: () => (event.isHeld = true) };
  return event;
};

describe('the window', () => {
  it('opens with the link or the files given at its start (TX-61)', async () => {
    const { state } = await startWindow({ args: ['--data', folder, LINK] });
    await expect.poll(() => state.arrived).toEqual([{ kind: 'link', text: LINK }]);
    const second = await startWindow({ args: ['--data', folder, file] });
    await expect.poll(() => second.state.arrived).toEqual([given]);
  });

  it('receives the arguments of a second start, and comes to the front', async () => {
    const { electron, state, window } = await startWindow();
    electron.app.emit('second-instance', {}, [], '/', { open: [LINK] });
    await expect.poll(() => state.arrived).toEqual([{ kind: 'link', text: LINK }]);
    expect(window.calls).toEqual(['restore', 'show', 'focus']);
  });

  it('passes its start arguments on if another window has the data open', async () => {
    const { electron } = await startHost({ isFirst: false, args: ['--data', folder, file] });
    expect(electron.seen.asked).toContainEqual(['requestSingleInstanceLock', { open: [file] }]);
    expect(electron.seen.windows).toEqual([]);
  });

  it.each([undefined, null, 7, {}, { open: 'x' }, { open: [7, '/etc/passwd', '--data=/x'] }])(
    'accepts nothing else from another program: %j (TX-61)',
    async (handed) => {
      const { electron, state } = await startWindow();
      electron.app.emit('second-instance', {}, [], '/', handed);
      electron.app.emit('second-instance', {}, [], '/', { open: [LINK] });
      await expect.poll(() => state.arrived).toEqual([{ kind: 'link', text: LINK }]);
    },
  );

  it('keeps the links and files that macOS sends before it is ready, in order', async () => {
    const { electron, state } = await startHost();
    const [first, second] = [held(), held()];
    electron.app.emit('open-url', first, LINK);
    electron.app.emit('open-file', second, file);
    expect([first.isHeld, second.isHeld]).toEqual([true, true]);
    expect(state.arrived).toEqual([]);
    electron.seen.becomeReady();
    await expect.poll(() => state.arrived).toEqual([{ kind: 'link', text: LINK }, given]);
    const [window] = electron.seen.windows;
    electron.app.emit('open-url', held(), OTHER);
    expect(window?.calls).toContain('show');
    await expect.poll(() => state.arrived.at(-1)).toEqual({ kind: 'link', text: OTHER });
  });

  it('opens no other kind of file that macOS sends to it (TX-61)', async () => {
    const { electron, state } = await startWindow();
    electron.app.emit('open-file', held(), path.join(folder, 'key.pem'));
    electron.app.emit('open-url', held(), 'https://example.org');
    electron.app.emit('open-url', held(), LINK);
    await expect.poll(() => state.arrived).toEqual([{ kind: 'link', text: LINK }]);
  });
});

describe('the registration for links', () => {
  const registered = (platform: NodeJS.Platform, isPackaged: boolean): unknown[] => {
    const asked: unknown[] = [];
    const app = Object.assign(new EventEmitter(), {
      isPackaged,
      setAsDefaultProtocolClient: (scheme: string) => asked.push(scheme),
    });
    listenForLinks(app as unknown as App, [], platform);
    return asked;
  };

  it('is made only by a packaged program; on Linux by its desktop file', () => {
    expect(registered('win32', true)).toEqual(['signingdesk']);
    expect(registered('darwin', true)).toEqual(['signingdesk']);
    expect(registered('linux', true)).toEqual([]);
    expect(registered('win32', false)).toEqual([]);
  });
});
