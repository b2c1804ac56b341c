import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostMachine } from '../../../electron/hosts/find-browser.ts';
import { programRunner, type RunProgram } from '../../../electron/hosts/schedule/programs.ts';
import { SystemSchedule } from '../../../electron/hosts/schedule/system-schedule.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'desk-schedule-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const PROGRAM = ['/opt/Signing Desk/signing-desk'];
const KEYFILE = { keyfile: '/k/desk.key' } as const;
const refused = { failure: { code: 'storage', reason: 'schedule-refused' } };

interface Computer {
  readonly platform: NodeJS.Platform;
  readonly programs: readonly string[];
  readonly run: RunProgram;
}

function scheduleOf(
  { platform, programs, run }: Computer,
  {
    dataDir = '/home/ada/data',
    vault = KEYFILE as 'keychain' | typeof KEYFILE,
    isIsolated = false,
  } = {},
): SystemSchedule {
  const machine: HostMachine = {
    platform,
    env: { HOME: home, PATH: '/bin' },
    isProgram: (file) => programs.map((name) => path.join('/bin', name)).includes(file),
    isSnap: () => false,
  };
  return new SystemSchedule({ program: PROGRAM, dataDir, vault, isIsolated }, machine, run);
}

const done = { exit: 0, out: '', err: '' } as const;

/** A computer with systemd, which knows whether the timer is enabled. */
function systemdComputer({ refuses = '' } = {}): Computer & { readonly calls: string[] } {
  const calls: string[] = [];
  let isEnabled = false;
  return {
    platform: 'linux',
    programs: ['systemctl', 'crontab'],
    calls,
    run: async (_, [user = '', ...args]) => {
      expect(user).toBe('--user');
      const [verb = ''] = args;
      if (verb === 'is-enabled') return { ...done, exit: isEnabled ? 0 : 1 };
      if (verb === refuses) return { exit: 1, out: '', err: 'Access denied' };
      if (verb === 'enable') isEnabled = true;
      if (verb === 'disable') isEnabled = false;
      if (verb !== 'show-environment') calls.push(args.join(' '));
      return done;
    },
  };
}

/** A computer with cron and this crontab; null if the user has none. */
function cronComputer(crontab: string | null, { isAllowed = true } = {}) {
  const state = { crontab };
  const computer: Computer = {
    platform: 'linux',
    programs: ['systemctl', 'crontab'],
    run: async (program, [first], input = '') => {
      // Without a service manager of the user, systemd cannot be used.
      if (program.endsWith('systemctl'))
        return { exit: 1, out: '', err: 'Failed to connect to bus' };
      if (!isAllowed) return { exit: 1, out: '', err: 'You (ada) are not allowed to use crontab' };
      if (first === '-') {
        state.crontab = input;
        return done;
      }
      return state.crontab === null
        ? { exit: 1, out: '', err: 'no crontab for ada' }
        : { ...done, out: state.crontab };
    },
  };
  return { state, computer };
}

const units = () => path.join(home, '.config', 'systemd', 'user');

describe('the scheduled task with systemd', () => {
  it('is written, enabled and found again, and removed with its files', async () => {
    const computer = systemdComputer();
    const schedule = scheduleOf(computer);
    expect(await schedule.readSchedule()).toMatchObject({ isOn: false, obstacle: null });
    await schedule.setSchedule(true);
    expect(readdirSync(units()).toSorted()).toEqual([
      'signing-desk-archive.service',
      'signing-desk-archive.timer',
    ]);
    const service = readFileSync(path.join(units(), 'signing-desk-archive.service'), 'utf8');
    expect(service).toContain(
      'ExecStart="/opt/Signing Desk/signing-desk" "run-due" "--data" "/home/ada/data" "--vault" "keyfile:/k/desk.key"',
    );
    expect(await schedule.readSchedule()).toMatchObject({ isOn: true, obstacle: null });
    await schedule.setSchedule(false);
    expect(readdirSync(units())).toEqual([]);
    expect(await schedule.readSchedule()).toMatchObject({ isOn: false, obstacle: null });
    expect(computer.calls).toEqual([
      'daemon-reload',
      'enable --now signing-desk-archive.timer',
      'disable --now signing-desk-archive.timer',
      'daemon-reload',
    ]);
  });

  it('of another data folder is reported, and not taken for this one', async () => {
    const computer = systemdComputer();
    await scheduleOf(computer, { dataDir: '/home/ada/data 2' }).setSchedule(true);
    const found = await scheduleOf(computer).readSchedule();
    expect(found).toMatchObject({ isOn: false, obstacle: 'other-data' });
  });

  it.each([true, false])(
    'of another data folder is neither replaced nor removed (turned on: %s)',
    async (isOn) => {
      const computer = systemdComputer();
      const other = scheduleOf(computer, { dataDir: '/home/ada/data 2' });
      await other.setSchedule(true);
      await expect(scheduleOf(computer).setSchedule(isOn)).rejects.toMatchObject({
        failure: { code: 'invalid' },
      });
      expect(await other.readSchedule()).toMatchObject({ isOn: true });
    },
  );

  it('can be turned off again when it is already off', async () => {
    const computer = systemdComputer({ refuses: 'disable' });
    await scheduleOf(computer).setSchedule(false);
    expect(computer.calls).toEqual([]);
  });

  it('is reported as refused if systemd does not enable it', async () => {
    const schedule = scheduleOf(systemdComputer({ refuses: 'enable' }));
    await expect(schedule.setSchedule(true)).rejects.toMatchObject(refused);
    expect(await schedule.readSchedule()).toMatchObject({ isOn: false });
  });
});

describe('the scheduled task with cron', () => {
  const OTHER = '0 6 * * * /usr/bin/other\n';

  it('is one line of the crontab, and leaves all other lines as they are', async () => {
    const { state, computer } = cronComputer(OTHER);
    const other = scheduleOf(computer, { dataDir: '/home/ada/data2' });
    await other.setSchedule(true);
    const before = state.crontab;
    const schedule = scheduleOf(computer);
    expect(await schedule.readSchedule()).toMatchObject({ isOn: false, obstacle: null });
    await schedule.setSchedule(true);
    await schedule.setSchedule(true);
    const lines = state.crontab?.split('\n').filter((line) => line.includes(' run-due '));
    expect(lines).toHaveLength(2);
    expect(state.crontab).toContain(OTHER);
    expect(await schedule.readSchedule()).toMatchObject({ isOn: true, obstacle: null });
    await schedule.setSchedule(false);
    expect(state.crontab).toBe(before);
    expect(await other.readSchedule()).toMatchObject({ isOn: true });
  });

  it('keeps the empty lines and the comments of the crontab', async () => {
    const crontab = `# Jobs\n\n${OTHER}\n# Old: x run-due --data /home/ada/data --vault keychain\n`;
    const { state, computer } = cronComputer(crontab);
    const schedule = scheduleOf(computer);
    expect(await schedule.readSchedule()).toMatchObject({ isOn: false });
    await schedule.setSchedule(true);
    expect(state.crontab?.startsWith(crontab)).toBe(true);
    await schedule.setSchedule(false);
    expect(state.crontab).toBe(crontab);
  });

  it('is refused if the crontab has characters of another encoding, which would be lost', async () => {
    const crontab = `# \u{FFFD}sa\n${OTHER}`;
    const { state, computer } = cronComputer(crontab);
    await expect(scheduleOf(computer).setSchedule(true)).rejects.toMatchObject(refused);
    expect(state.crontab).toBe(crontab);
  });

  it('is refused if the program of cron cannot be started', async () => {
    const { computer } = cronComputer(OTHER);
    const run: RunProgram = () => Promise.reject(new Error('spawn EACCES'));
    const schedule = scheduleOf({ ...computer, run });
    expect(await schedule.readSchedule()).toMatchObject({ obstacle: 'no-scheduler' });
    await expect(schedule.setSchedule(true)).rejects.toMatchObject(refused);
  });

  it('starts a crontab if the user has none', async () => {
    const { state, computer } = cronComputer(null);
    await scheduleOf(computer).setSchedule(true);
    expect(state.crontab).toMatch(/^\*\/15 .* run-due --data \/home\/ada\/data --vault/);
  });

  it('is impossible for a user who may not use cron, and no crontab is overwritten', async () => {
    const { state, computer } = cronComputer(OTHER, { isAllowed: false });
    const schedule = scheduleOf(computer);
    expect(await schedule.readSchedule()).toMatchObject({ obstacle: 'no-scheduler' });
    await expect(schedule.setSchedule(true)).rejects.toMatchObject(refused);
    expect(state.crontab).toBe(OTHER);
  });

  it('is impossible with a credential store, which cron cannot reach', async () => {
    const { computer } = cronComputer(null);
    const found = await scheduleOf(computer, { vault: 'keychain' }).readSchedule();
    expect(found).toMatchObject({ isOn: false, obstacle: 'no-keychain' });
  });
});

it('the scheduled task of macOS is loaded from its file, and unloaded', async () => {
  const calls: string[] = [];
  const run: RunProgram = async (program, args) => {
    calls.push([program, ...args].join(' ').replaceAll(/gui\/\d+/g, 'gui/N'));
    return done;
  };
  const schedule = scheduleOf({ platform: 'darwin', programs: [], run });
  await schedule.setSchedule(true);
  const file = path.join(home, 'Library/LaunchAgents/signing-desk-archive.plist');
  expect(await schedule.readSchedule()).toMatchObject({ isOn: true });
  await schedule.setSchedule(false);
  expect(existsSync(file)).toBe(false);
  expect(calls).toEqual([
    '/bin/launchctl bootout gui/N/signing-desk-archive',
    `/bin/launchctl bootstrap gui/N ${file}`,
    '/bin/launchctl bootout gui/N/signing-desk-archive',
  ]);
});

it('the scheduled task of macOS leaves no file behind if the system does not load it', async () => {
  const run: RunProgram = async (_, [verb]) =>
    verb === 'bootstrap' ? { exit: 5, out: '', err: 'Bootstrap failed: 5' } : done;
  const schedule = scheduleOf({ platform: 'darwin', programs: [], run });
  await expect(schedule.setSchedule(true)).rejects.toMatchObject(refused);
  expect(readdirSync(path.join(home, 'Library/LaunchAgents'))).toEqual([]);
  expect(await schedule.readSchedule()).toMatchObject({ isOn: false, obstacle: null });
});

it('the scheduled task of Windows is found although its listing loses special characters', async () => {
  let task: string | null = null;
  const run: RunProgram = async (program, args) => {
    expect(program).toMatch(/schtasks\.exe$/);
    expect(args.slice(-2)).toEqual(['/TN', 'Signing Desk archive']);
    const [verb] = args;
    if (verb === '/Create') {
      const xml = readFileSync(args[3] ?? '', 'utf8');
      task = xml.replaceAll(/[^ -~\n]/g, '?').replaceAll('&quot;', '"');
    }
    if (verb === '/Delete') task = null;
    return task === null && verb === '/Query' ? { ...done, exit: 1 } : { ...done, out: task ?? '' };
  };
  const schedule = scheduleOf(
    { platform: 'win32', programs: [], run },
    { dataDir: String.raw`C:\Users\Åsa\Signing Desk` },
  );
  expect(await schedule.readSchedule()).toMatchObject({ isOn: false, obstacle: null });
  await schedule.setSchedule(true);
  expect(await schedule.readSchedule()).toMatchObject({ isOn: true });
  await schedule.setSchedule(false);
  expect(await schedule.readSchedule()).toMatchObject({ isOn: false });
});

it.each([
  ['a Flatpak or Snap', { isIsolated: true }, 'isolated'],
  ['a computer without a scheduler', {}, 'no-scheduler'],
] as const)(
  '%s cannot have a scheduled task, and gets the command instead',
  async (_, own, why) => {
    const computer: Computer = { platform: 'linux', programs: [], run: async () => done };
    const found = await scheduleOf(computer, {
      dataDir: '/home/ada/my data',
      ...own,
    }).readSchedule();
    expect(found).toEqual({
      isOn: false,
      obstacle: why,
      command: "signing-desk archive schedule install --for cron --data '/home/ada/my data'",
    });
  },
);

describe.skipIf(process.platform === 'win32')('a program of the system', () => {
  const run = programRunner({ PATH: '/usr/bin:/bin', LC_ALL: 'sv_SE.UTF-8' });

  it('gets its input, and returns its output and exit code', async () => {
    const script = 'cat; echo "$LC_ALL" >&2; exit 3';
    expect(await run('/bin/sh', ['-c', script], 'a line\n')).toEqual({
      exit: 3,
      out: 'a line\n',
      err: 'C\n',
    });
  });

  it('is reported if it cannot be started', async () => {
    await expect(run('/there/is/no/such/program', [])).rejects.toThrow('ENOENT');
  });
});
