import { expect, it } from 'vitest';
import { readStart } from '../../electron/hosts/window-start.ts';

it.each([[[]], [['--ozone-platform=wayland', '-psn_0_12345']]])(
  '%j opens the window on the usual data',
  (args) => {
    expect(readStart(args)).toEqual({ kind: 'window', data: undefined, lang: undefined });
  },
);

it.each([[['--data', '/srv/desk']], [['--data=/srv/desk', '--no-first-run']]])(
  '%j opens the window on that data',
  (args) => {
    expect(readStart(args)).toEqual({ kind: 'window', data: '/srv/desk', lang: undefined });
  },
);

it.each([[['--lang', 'fi']], [['--lang=fi', '--no-first-run']]])(
  '%j opens the window in that language',
  (args) => {
    expect(readStart(args)).toEqual({ kind: 'window', data: undefined, lang: 'fi' });
  },
);

it.each([
  [['archive', 'run', '--json']],
  [['--json', 'connections', 'list']],
  [['--data', '/srv/desk', 'sync']],
  [['--lang', 'fi', 'sync']],
  [['--help']],
  [['--version']],
  [['no-such-command']],
])('%j is a command', (args) => {
  expect(readStart(args)).toEqual({ kind: 'command' });
});
