import { describe, expect, it } from 'vitest';
import { HostMenu } from '../../../shared/contract/host.ts';
import { menuGroups } from '../../../renderer/app/shell/host-menu.ts';
import type { Command } from '../../../renderer/window/shortcuts.svelte.ts';

const command = (id: string, more: Partial<Command> = {}): Command => ({
  id,
  group: 'do',
  title: () => `Title of ${id}`,
  keys: [],
  run: () => {},
  ...more,
});

describe('the host’s menu', () => {
  it('contains the available commands, in groups with the palette’s titles', () => {
    const commands = [
      command('go.drafts', { group: 'go' }),
      command('list.print', { group: 'list' }),
      command('draft.new'),
    ];
    expect(menuGroups(commands).map(({ title, commands: [first] }) => [title, first?.id])).toEqual([
      ['Commands', 'draft.new'],
      ['Go to', 'go.drafts'],
      ['On this screen', 'list.print'],
    ]);
    expect(menuGroups([])).toEqual([]);
  });

  it.each([
    [['$mod+n'], 'CommandOrControl+N'],
    [['$mod+Digit4'], 'CommandOrControl+4'],
    [['$mod+Shift+S'], 'CommandOrControl+Shift+S'],
    [['$mod+[Shift]+/'], 'CommandOrControl+/'],
    [['F5', '$mod+r'], 'F5'],
    [['Shift+F8'], 'Shift+F8'],
    [['Alt+ArrowUp'], 'Alt+Up'],
    [['$mod+Enter'], null],
    [['Meta+x'], null],
    [[], null],
  ])('shows the key of %j as %j, which its host can parse', (keys, accelerator) => {
    const groups = menuGroups([command('one', { keys })]);
    expect(groups[0]?.commands[0]?.accelerator).toBe(accelerator);
    expect(HostMenu.safeParse({ language: 'en', groups }).success).toBe(true);
  });

  it('shows no key that belongs to the text field while the user types', () => {
    const groups = menuGroups([command('undo', { keys: ['$mod+z'], leavesText: true })]);
    expect(groups[0]?.commands[0]?.accelerator).toBeNull();
  });

  it('lists two routes to the same command once', () => {
    const title = () => 'Search this screen';
    const groups = menuGroups([command('a', { title }), command('b', { title })]);
    expect(groups[0]?.commands.map(({ id }) => id)).toEqual(['a']);
  });
});
