import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import os from 'node:os';
import path from 'node:path';

const PASSWORD = 'only-for-this-test';
const COLLECTION = '/org/freedesktop/secrets/collection/login';
const TOOLS = {
  'dbus-daemon': 'dbus',
  gdbus: 'libglib2.0-bin',
  'gnome-keyring-daemon': 'gnome-keyring',
};

/**
 * Folder of the bus. Its address is the same for a whole test process, because libdbus keeps the
 * first address permanently.
 */
const HOME = path.join(os.tmpdir(), `desk-keyring-${process.pid}`);
const SOCKET = path.join(HOME, 'bus');
/** Address of the bus, at which no keyring answers until one is started. */
export const BUS_ADDRESS = `unix:path=${SOCKET}`;
process.env['DBUS_SESSION_BUS_ADDRESS'] = BUS_ADDRESS;

const ENV: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME,
  XDG_RUNTIME_DIR: HOME,
  DBUS_SESSION_BUS_ADDRESS: BUS_ADDRESS,
};

export interface KeyringOptions {
  /** Behaviour of the unlock prompt: it cannot be shown, or it waits forever. */
  readonly prompt?: 'fails' | 'waits';
  /** Makes the bus deny access to the keyring, as a sandbox does. */
  readonly isForbidden?: boolean;
}

/** A real gnome-keyring on its own D-Bus session; the user's keyring is never touched. */
export interface Keyring {
  lock(): void;
  /** Opens locked keyrings again; the process under test keeps running. */
  unlock(): Promise<void>;
  /** Ends the keyring but not the session, so that no keyring answers. */
  endService(): Promise<void>;
  stop(): Promise<void>;
}

export async function startKeyring(options: KeyringOptions = {}): Promise<Keyring> {
  requireTools();
  mkdirSync(HOME, { mode: 0o700 });
  const bus = spawn('dbus-daemon', ['--nofork', '--print-address=1', busConfig(options)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await firstLine(bus);
  let daemon = await startDaemon();

  return {
    lock() {
      const call = ['call', '--session', '--dest', 'org.freedesktop.secrets'];
      const method = ['--object-path', '/org/freedesktop/secrets', '--method'];
      const lock = ['org.freedesktop.Secret.Service.Lock', `['${COLLECTION}']`];
      const done = spawnSync('gdbus', [...call, ...method, ...lock], {
        env: ENV,
        encoding: 'utf8',
      });
      if (done.status !== 0) throw new Error(`The keyring was not locked: ${done.stderr}`);
    },
    async unlock() {
      await end(daemon);
      daemon = await startDaemon();
    },
    endService: () => end(daemon),
    async stop() {
      await end(daemon);
      await end(bus);
      rmSync(HOME, { recursive: true, force: true });
    },
  };
}

function requireTools(): void {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const missing = Object.entries(TOOLS).filter(
    ([tool]) => !folders.some((folder) => existsSync(path.join(folder, tool))),
  );
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name).join(' ');
  throw new Error(`These tests need a real keyring: apt-get install ${packages}`);
}

/** Starts the keyring and unlocks it with the password. */
async function startDaemon(): Promise<ChildProcess> {
  const args = ['--foreground', '--unlock', '--components=secrets'];
  const daemon = spawn('gnome-keyring-daemon', args, {
    env: ENV,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  daemon.stdin?.end(PASSWORD);
  await ownsName();
  return daemon;
}

/** Resolves once the keyring answers; gdbus does the waiting. */
async function ownsName(): Promise<void> {
  const wait = spawn('gdbus', ['wait', '--session', '--timeout=20', 'org.freedesktop.secrets'], {
    env: ENV,
    stdio: 'ignore',
  });
  const code = await new Promise((resolve) => wait.once('exit', resolve));
  if (code !== 0) throw new Error('gnome-keyring did not come up on its session bus');
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error('The child has no output to wait for');
    createInterface(child.stdout).once('line', resolve);
    child.once('error', reject);
    child.once('exit', () => {
      reject(new Error(`${child.spawnfile} ended before it was ready`));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await gone;
}

function busConfig(options: KeyringOptions): string {
  const services = path.join(HOME, 'services');
  mkdirSync(services);
  const command =
    options.prompt === 'waits'
      ? '/usr/bin/env gdbus monitor --session --dest org.freedesktop.DBus'
      : '/bin/false';
  writeFileSync(
    path.join(services, 'prompter.service'),
    `[D-BUS Service]\nName=org.gnome.keyring.SystemPrompter\nExec=${command}\n`,
  );
  const deny = options.isForbidden ? '<deny send_destination="org.freedesktop.secrets"/>' : '';
  const file = path.join(HOME, 'bus.conf');
  writeFileSync(
    file,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=${SOCKET}</listen>
      <servicedir>${services}</servicedir>
      <policy context="default">
        <allow send_destination="*"/><allow own="*"/><allow receive_sender="*"/>${deny}
      </policy>
    </busconfig>`,
  );
  return `--config-file=${file}`;
}
