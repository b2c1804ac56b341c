// tier: all
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleStale, hosts, page } from '../../build/bundle/bundle.ts';
import { place } from '../../build/places.ts';
import { run } from '../../build/run.ts';
import { startProxy } from '../support/proxy.ts';

/** Number of the account `nobody` on Debian and other systems. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let folder: string;

beforeAll(() => bundleStale([page, hosts]), 240_000);
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'desk-npm-start-'));
  chmodSync(folder, 0o755);
  program('chromium', 'exit 1');
  program('unshare', 'exit 0');
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): void {
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/**
 * Returns the start script of a checkout in this folder. Its page cannot be built, because the
 * checkout has no sources of it.
 */
function copyOf(name: string): string {
  const checkout = path.join(folder, name);
  mkdirSync(checkout);
  for (const part of ['build', 'electron', 'shared']) {
    cpSync(place(part), path.join(checkout, part), { recursive: true });
  }
  symlinkSync(place('node_modules'), path.join(checkout, 'node_modules'));
  return path.join(checkout, 'build/start.ts');
}

/**
 * Runs the script of `npm start` as an ordinary account, with only the programs of the test and an
 * empty folder for Electron.
 */
function start(
  env: Readonly<Record<string, string>> = {},
  account = NOBODY,
  script = place('build/start.ts'),
) {
  const who = isRoot && account !== 0 ? { uid: account, gid: account } : {};
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [script, '--data', path.join(folder, 'data')],
    {
      ...who,
      encoding: 'utf8',
      env: {
        PATH: `${folder}:/bin:/usr/bin`,
        HOME: folder,
        DISPLAY: ':77',
        ELECTRON_OVERRIDE_DIST_PATH: folder,
        ...env,
      },
    },
  );
  return { status, stdout, stderr };
}

describe.runIf(process.platform === 'linux')('npm start', () => {
  it('reports a missing screen before it downloads or builds anything', () => {
    program('electron', 'touch "$HOME/started"');
    const { status, stdout, stderr } = start({ DISPLAY: '' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^signing-desk: There is no screen here .*\n$/);
  });

  it('opens Electron if it is installed, and ends with its exit code', () => {
    program('electron', 'echo "window: $*"');
    const { status, stdout } = start();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^opening in Electron\nwindow: .* --data .*\n$/);
  });

  it('opens Chromium if Electron ends immediately, and reports how it ended', () => {
    const fatal = 'FATAL:setuid_sandbox_host.cc(158)] The SUID sandbox helper binary was found';
    program('electron', `echo "[12:0101/000000.0:${fatal}" >&2; exit 133`);
    const { stdout, stderr } = start();
    expect(stdout).toContain(
      'opening in Chromium: Electron ended at once (exit code 133: The SUID sandbox helper binary was found)',
    );
    expect(stderr).toContain('The window cannot be opened.');
  });

  it('opens Chromium if Electron’s program cannot be run, and reports why', () => {
    program('electron', 'echo started');
    chmodSync(path.join(folder, 'electron'), 0o644);
    const { stdout } = start();
    expect(stdout).toMatch(/^opening in Chromium: Electron cannot be started \(.*EACCES\)$/m);
  });

  it('downloads Electron again if its program is a folder or an empty file', () => {
    const file = path.join(folder, 'electron');
    writeFileSync(file, '', { mode: 0o755 });
    const env = { ELECTRON_MIRROR: 'none' };
    expect(start(env).stdout).toContain('opening in Chromium: Electron cannot be downloaded');
    rmSync(file);
    mkdirSync(file);
    expect(start(env).stdout).toContain('opening in Chromium: Electron cannot be downloaded');
  });

  it('opens Electron’s window also in a terminal that makes Electron run as Node', () => {
    program('electron', 'echo "as Node: ${ELECTRON_RUN_AS_NODE-no}"');
    expect(start({ ELECTRON_RUN_AS_NODE: '1' }).stdout).toContain('as Node: no\n');
  });

  it('reports a missing browser before it builds anything', () => {
    program('unshare', 'exit 1');
    rmSync(path.join(folder, 'chromium'));
    const { status, stdout, stderr } = start({ PATH: folder }, NOBODY, copyOf('unbuilt'));
    expect({ status, stdout }).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/^opening in Chromium: .*\n$/),
    });
    expect(stderr).toMatch(/^signing-desk: No Chrome, Edge or Chromium was found here\. .*\n$/);
  });

  it.each(['a #1 folder', 'what?'])(
    'reports that the program cannot be built in a checkout named %s',
    (name) => {
      program('unshare', 'exit 1');
      const { status, stderr } = start({}, NOBODY, copyOf(name));
      expect(status).toBe(1);
      expect(stderr).toBe(
        `signing-desk: The program cannot be built in a folder with # or ? in its path (${path.join(folder, name)}). Rename that folder or move this one.\n`,
      );
    },
  );

  it('reports in one line that the program cannot be built in its folder, with advice', () => {
    program('unshare', 'exit 1');
    const { status, stderr } = start({}, NOBODY, copyOf('without a page'));
    expect(status).toBe(1);
    const last = stderr.trimEnd().split('\n').at(-1);
    expect(last).toMatch(/^signing-desk: The program cannot be built \(.*npm ci$/);
  });

  it('opens Chromium if a signal ends Electron without a message', () => {
    program('electron', 'kill -TRAP $$');
    expect(start().stdout).toContain('opening in Chromium: Electron ended at once (SIGTRAP)');
  });

  it('opens Chromium if no program may create the namespaces of a sandbox', () => {
    program('electron', 'echo started');
    program('unshare', 'exit 1');
    const { stdout } = start();
    expect(stdout).toContain('opening in Chromium: this system does not let ordinary programs');
    expect(stdout).not.toContain('started');
  });

  it.runIf(isRoot)('opens Electron without namespaces if its own sandbox helper is set up', () => {
    program('electron', 'echo started');
    program('unshare', 'exit 1');
    program('chrome-sandbox', 'exit 1');
    chownSync(path.join(folder, 'chrome-sandbox'), 0, 0);
    chmodSync(path.join(folder, 'chrome-sandbox'), 0o4755);
    expect(start().stdout).toContain('started');
  });

  it.runIf(isRoot)('opens Chromium for root, and recommends an ordinary account', () => {
    program('electron', 'echo started');
    const { stdout } = start({}, 0);
    expect(stdout).toBe(
      'opening in Chromium: Electron does not run as root; use an ordinary account\n',
    );
  });

  it('opens Chromium if Electron cannot be downloaded, reports why, and retries at the next start', async () => {
    const { port, close } = await listen();
    await close();
    const mirror = `http://127.0.0.1:${String(port)}/`;
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
    for (let time = 0; time < 2; time += 1) {
      const { stdout } = start({ ELECTRON_MIRROR: mirror, electron_config_cache: folder });
      expect(stdout.split('\n')).toEqual([
        'taking Electron, the first time …',
        `opening in Chromium: Electron cannot be downloaded (connect ECONNREFUSED 127.0.0.1:${String(port)})`,
        '',
      ]);
    }
  });
});

/** Answers with a file of four million zeros. */
function answerZeros(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': 4_000_000 });
  response.end(Buffer.alloc(4_000_000));
}

/** Starts a server that answers every request with `answer`. */
async function listen(answer: RequestListener = answerZeros) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { port, close };
}

/** Arguments of a Node process that downloads Electron. */
const TAKE = ((): readonly string[] => {
  const module = JSON.stringify(place('build/package/electron-binary.ts'));
  const script = `import { obtainElectron } from ${module}; console.log(await obtainElectron());`;
  return ['--input-type=module', '-e', script];
})();
const takeFrom = (mirror: string) => ({
  ELECTRON_MIRROR: mirror,
  ELECTRON_OVERRIDE_DIST_PATH: folder,
  electron_config_cache: folder,
});

it('a failed download of Electron names only the server of a mirror’s address, which may hold a secret', async () => {
  const { port, close } = await listen((_request, response) => response.writeHead(404).end());
  const server = `127.0.0.1:${String(port)}`;
  for (const mirror of [
    `http://ada:s3cret@${server}/`,
    `http://${server}/s3cret/?sig=s3cret&to=`,
  ]) {
    const { output } = await run(process.execPath, TAKE, { env: takeFrom(mirror) });
    expect(output).toContain(`http://${server})`);
    expect(output).not.toContain('s3cret');
  }
  await close();
});

it.skipIf(process.platform === 'win32')(
  'a download of Electron ended by Ctrl+C leaves no partial file',
  async () => {
    const asked = Promise.withResolvers<void>();
    const { port, close } = await listen(() => asked.resolve());
    const env = {
      ...process.env,
      ...takeFrom(`http://127.0.0.1:${String(port)}/`),
      TMPDIR: folder,
    };
    const taking = spawn(process.execPath, TAKE, { env, stdio: 'ignore' });
    const ended = once(taking, 'exit');
    await asked.promise;
    taking.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
    await close();
    expect(readdirSync(folder).filter((name) => name.startsWith('electron-download-'))).toEqual([]);
  },
);

it('a download of Electron uses the proxy of the environment', async () => {
  const { port, close } = await listen();
  const proxy = await startProxy({ names: { 'mirror.example': port } });
  const env = { ...takeFrom('http://mirror.example:80/'), HTTP_PROXY: proxy.origin, NO_PROXY: '' };
  const { output } = await run(process.execPath, TAKE, { env });
  await close();
  expect(proxy.asked.map(({ authority }) => authority)).toContain('mirror.example:80');
  expect(output).toMatch(/^ {2}100 % \(4 MB\)$/m);
});

it('a download of Electron shows its progress, and a wrong file is not installed', async () => {
  const { port, close } = await listen();
  const mirror = `http://127.0.0.1:${String(port)}/`;
  const { output } = await run(process.execPath, TAKE, { env: takeFrom(mirror) });
  await close();
  expect(output).toMatch(/^ {2}50 % \(2 MB\)$/m);
  expect(output).toMatch(/^ {2}100 % \(4 MB\)$/m);
  expect(output).toMatch(/why: 'Electron cannot be downloaded \(.*checksum/i);
});
