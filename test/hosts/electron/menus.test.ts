import { describe, expect, it } from 'vitest';
import type { HostMenu } from '../../../shared/contract/host.ts';
import type { FakeItem } from '../../support/fakes/fake-electron.ts';
import { connect } from '../../../shared/wire.ts';
import {
  channelFrom,
  type StartedWindow,
  type StartOptions,
  startWindow,
} from '../../support/desks/started-window.ts';

const offered: HostMenu = {
  language: 'de',
  groups: [
    {
      title: 'Befehle',
      commands: [
        { id: 'draft.new', label: 'Neuer Entwurf', accelerator: 'CommandOrControl+N' },
        { id: 'outbox.undo', label: 'Rückgängig machen', accelerator: null },
      ],
    },
    {
      title: 'Gehe zu',
      commands: [{ id: 'go.drafts', label: 'Entwürfe', accelerator: 'CommandOrControl+2' }],
    },
  ],
};

function barOf({ electron }: StartedWindow): readonly FakeItem[] {
  const set = electron.seen.asked.filter(([name]) => name === 'setApplicationMenu').at(-1);
  const { items } = set?.[1] as { readonly items: readonly FakeItem[] };
  return items;
}

async function startWith(options: StartOptions, menu: HostMenu = offered) {
  const started = await startWindow(options);
  started.state.setup?.features.menu(menu);
  return started;
}

const titles = (items: readonly FakeItem[]) => items.map(({ label }) => label);
const rolesIn = (items: readonly FakeItem[]): (string | undefined)[] =>
  items.flatMap(({ role, submenu }) => [role, ...rolesIn(submenu ?? [])]).filter(Boolean);

describe.each(['linux', 'darwin'] as const)('the menu on %s', (platform) => {
  it('contains the commands of the palette, with its own words in the window’s language', async () => {
    const bar = barOf(await startWith({ platform }));
    const commands = ['Befehle', 'Bearbeiten', 'Ansicht', 'Gehe zu'];
    expect(titles(bar)).toEqual(
      platform === 'darwin' ? ['Signing Desk', ...commands, 'Fenster'] : commands,
    );
    const [first] = bar.filter(({ label }) => label === 'Befehle');
    expect(titles(first?.submenu ?? []).slice(0, 2)).toEqual([
      'Neuer Entwurf',
      'Rückgängig machen',
    ]);
  });

  it('sends a command to the page, and brings its window to the front', async () => {
    const started = await startWith({ platform });
    const chosen: unknown[] = [];
    connect(channelFrom(started)).on('host.command', ({ id }) => chosen.push(id));
    const command = barOf(started)
      .flatMap(({ submenu }) => submenu ?? [])
      .find(({ label }) => label === 'Entwürfe');
    command?.click?.();
    await expect.poll(() => chosen).toEqual(['go.drafts']);
    expect(started.window.calls).toEqual(['restore', 'show', 'focus']);
  });

  it('shows the keys of commands, and leaves their handling to the page', async () => {
    const bar = barOf(await startWith({ platform }));
    const items = bar.flatMap(({ submenu }) => submenu ?? []);
    expect(items.find(({ label }) => label === 'Neuer Entwurf')).toMatchObject({
      accelerator: 'CommandOrControl+N',
      registerAccelerator: false,
    });
    expect(items.find(({ label }) => label === 'Rückgängig machen')).not.toHaveProperty(
      'accelerator',
    );
  });

  it('zooms and copies with keys before the page has loaded (PK-07)', async () => {
    const bar = barOf(await startWindow({ platform }));
    const roles = rolesIn(bar);
    for (const role of ['resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen', 'undo', 'copy']) {
      expect(roles).toContain(role);
    }
  });

  it('quits the program, with a key only where macOS expects one (PK-07)', async () => {
    const started = await startWith({ platform });
    const items = barOf(started).flatMap(({ submenu }) => submenu ?? []);
    const quit = items.find(({ label }) => label === 'Beenden');
    expect(quit?.role).toBe(platform === 'darwin' ? 'quit' : undefined);
    expect(quit?.accelerator).toBeUndefined();
    quit?.click?.();
    const hasQuit = started.electron.seen.asked.some(([name]) => name === 'quit');
    expect(hasQuit).toBe(platform !== 'darwin');
  });
});

it('the menu bar is hidden until Alt is pressed', async () => {
  const { window } = await startWindow();
  expect(window.options['autoHideMenuBar']).toBe(true);
});

describe('the context menu', () => {
  const editFlags = { canCut: false, canCopy: true, canPaste: true, canSelectAll: true };

  it.each([
    ['in a field', { isEditable: true, selectionText: '' }, ['cut', 'copy', 'paste', 'selectAll']],
    ['on chosen words', { isEditable: false, selectionText: 'Öberg' }, ['copy']],
    ['on nothing', { isEditable: false, selectionText: '' }, null],
  ])(
    'offers for %s the matching text actions, in the user’s language (PK-07)',
    async (_, at, roles) => {
      const { electron, window } = await startWindow();
      window.webContents.emit('context-menu', {}, { ...at, editFlags });
      const [, items = null] = electron.seen.asked.find(([name]) => name === 'popup') ?? [];
      const shown = items as FakeItem[] | null;
      expect(shown?.flatMap(({ role = [] }) => role) ?? null).toEqual(roles);
      if (roles === null) return;
      expect(shown?.find(({ role }) => role === 'copy')).toMatchObject({
        label: 'Kopiera',
        enabled: true,
      });
      expect(shown?.find(({ role }) => role === 'cut')?.enabled ?? false).toBe(false);
    },
  );

  it('uses the language that the window was switched to', async () => {
    const { electron, window } = await startWith({});
    window.webContents.emit('context-menu', {}, { isEditable: true, selectionText: '', editFlags });
    const [, items] = electron.seen.asked.find(([name]) => name === 'popup') ?? [];
    expect(titles(items as FakeItem[])).toContain('Kopieren');
  });
});
