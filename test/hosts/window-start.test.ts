import { expect, it } from 'vitest';
import { readStart } from '../../electron/hosts/window-start.ts';

it.each([[[]], [['--ozone-platform=wayland', '-psn_0_12345']]])(
  '%j opens the window on the usual data',
  (args) => {
    expect(readStart(args)).toEqual({ kind: 'window', data: undefined });
  },
);

it.each([[['--data', '/srv/desk']], [['--data=/srv/desk', '--no-first-run']]])(
  '%j opens the window on that data',
  (args) => {
    expect(readStart(args)).toEqual({ kind: 'window', data: '/srv/desk' });
  },
);

it.each([
  [['archive', 'run', '--json']],
  [['--json', 'connections', 'list']],
  [['--data', '/srv/desk', 'sync']],
  [['--help']],
  [['--version']],
  [['no-such-command']],
])('%j is a command', (args) => {
  expect(readStart(args)).toEqual({ kind: 'command' });
});
