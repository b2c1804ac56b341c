import path from 'node:path';
import { expect, it } from 'vitest';
import { readStart } from '../../electron/hosts/window-start.ts';

it.each([[[]], [['--ozone-platform=wayland', '-psn_0_12345']]])(
  'the command line %j opens the window on the default data folder',
  (args) => {
    expect(readStart(args)).toEqual({ kind: 'window', data: undefined, lang: undefined, open: [] });
  },
);

it.each([[['--data', '/srv/desk']], [['--data=/srv/desk', '--no-first-run']]])(
  'the command line %j opens the window on the data folder that it names',
  (args) => {
    expect(readStart(args)).toEqual({
      kind: 'window',
      data: '/srv/desk',
      lang: undefined,
      open: [],
    });
  },
);

it.each([[['--lang', 'fi']], [['--lang=fi', '--no-first-run']]])(
  'the command line %j opens the window in the language that it names',
  (args) => {
    expect(readStart(args)).toEqual({ kind: 'window', data: undefined, lang: 'fi', open: [] });
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
])('the command line %j is a command, and opens no window', (args) => {
  expect(readStart(args)).toEqual({ kind: 'command' });
});

it('a link or files at the end open the window, after window options only (TX-61)', () => {
  const link = 'signingdesk:agreement/004711000001';
  const about = { kind: 'window', data: '/srv/desk', lang: undefined };
  expect(readStart(['--data', '/srv/desk', link, '--data', '/evil'])).toEqual(
    Object.assign({ open: [link] }, about),
  );
  const file = path.resolve('/home/lease.signdraft');
  expect(readStart(['--data=/srv/desk', 'lease.signdraft'], path.dirname(file))).toEqual(
    Object.assign({ open: [file] }, about),
  );
});

it('a command that names a draft file opens no window', () => {
  expect(readStart(['drafts', 'import', 'lease.signdraft'])).toEqual({ kind: 'command' });
});
