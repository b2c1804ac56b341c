// tier: all
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { place } from '../../build/places.ts';
import { type Outcome, run, runNode } from '../../build/run.ts';
import { findProgram } from '../../electron/hosts/find-browser.ts';
import { isAtNight } from '../support/run-length.ts';

/** Files of the repository that `npm ci` reads. */
const READ = ['package.json', 'package-lock.json', 'build/installed.js'];
/** The oldest supported npm, and the first one after the newest that comes with the pinned Node. */
const NPMS = ['10.9.9', '12.2.0'];
const PINNED = path.join(
  'node_modules',
  process.platform === 'win32' ? 'node/bin/node.exe' : '.bin/node',
);
/** Error codes of npm for an unreachable registry. */
const UNREACHED = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED)\b/;

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'signing-desk-npm-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(!isAtNight)('npm ci in a clean folder', () => {
  it.for(NPMS)(
    'with npm %s leaves the pinned Node, without warnings (PK-01)',
    async (version, context) => {
      const npm = await takeNpm(version);
      if (npm === null) {
        process.stderr.write(`\n*** SKIPPED: npm ci, since the registry is out of reach ***\n\n`);
        context.skip();
        return;
      }
      const clean = await layOut(`clean-${version}`);
      const { code, output } = await runNpm(npm, ['ci', '--prefer-offline'], clean);
      expect(warningsOf(output)).toEqual([]);
      expect({ code, output }).toMatchObject({ code: 0 });
      const { devDependencies } = JSON.parse(await readFile(place('package.json'), 'utf8'));
      expect(await run(path.join(clean, PINNED), ['--version'])).toEqual({
        code: 0,
        output: `v${devDependencies.node}\n`,
      });
      await rm(clean, { recursive: true });
    },
  );
});

describe('the last message of npm ci', () => {
  const say = async (agent: string, pinned?: string) => {
    const clean = await layOut('told');
    if (pinned !== undefined) {
      const manifest = JSON.parse(await readFile(path.join(clean, 'package.json'), 'utf8'));
      manifest.devDependencies.node = pinned;
      await writeFile(path.join(clean, 'package.json'), JSON.stringify(manifest));
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['build/installed.js'], {
      cwd: clean,
      encoding: 'utf8',
      env: { npm_config_user_agent: agent },
    });
    return { status, stdout, stderr };
  };

  it('is empty if everything is correct', async () => {
    const version = process.versions.node;
    expect(await say(`npm/11.19.1 node/v${version} linux x64`)).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('states that warnings about an older Node can be ignored', async () => {
    const { status, stdout } = await say('npm/10.9.9 node/v20.19.0 linux x64 workspaces/false');
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^[^\n]*EBADENGINE[^\n]*Node 20\.19\.0[^\n]*\n$/),
    });
  });

  it.each([
    ['a Node too old', 'npm/10.8.2 node/v18.20.8 linux x64', 'takes node 20.19 or newer'],
    ['an npm too old', 'npm/9.9.4 node/v20.19.0 linux x64', 'takes npm 10 or newer'],
    ['a script not allowed', 'npm/12.2.0 node/v26.0.0 linux x64', 'allow that package its install'],
  ])(
    'explains in one sentence why the pinned Node is missing: %s (PK-01)',
    async (_why, agent, reason) => {
      const { status, stderr } = await say(agent, '24.0.0');
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/^Node 24\.0\.0, [^\n]*was not installed[^\n]*\n$/),
      });
      expect(stderr).toContain(reason);
    },
  );
});

/** Creates a folder with exactly the files that `npm ci` reads; returns its path. */
async function layOut(name: string): Promise<string> {
  const clean = path.join(folder, name);
  await mkdir(path.join(clean, 'build'), { recursive: true });
  for (const file of READ) await cp(place(file), path.join(clean, file));
  return clean;
}

/**
 * Installs this version of npm; returns the path of its script. Null if neither a registry nor a
 * cache has the version.
 */
async function takeNpm(version: string): Promise<string | null> {
  const at = path.join(folder, `npm-${version}`);
  await mkdir(at);
  await writeFile(path.join(at, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--prefer-offline', '--no-save', `npm@${version}`];
  const { code, output } = await runNpm(await thisNpm(), args, at);
  if (code === 0) return path.join(at, 'node_modules/npm/bin/npm-cli.js');
  if (UNREACHED.test(output)) return null;
  throw new Error(output);
}

/** Returns the script of the npm that runs the tests, or otherwise of the npm on the path. */
async function thisNpm(): Promise<string> {
  const running = process.env['npm_execpath'];
  if (running?.endsWith('.js')) return running;
  const found = findProgram(process.platform === 'win32' ? 'npm.cmd' : 'npm');
  if (found === undefined) throw new Error('no npm is on the path');
  return process.platform === 'win32'
    ? path.join(path.dirname(found), 'node_modules/npm/bin/npm-cli.js')
    : realpath(found);
}

/** Runs npm with its own settings, and not with those that an outer npm passes on. */
function runNpm(npm: string, args: readonly string[], cwd: string): Promise<Outcome> {
  return runNode(npm, [...args, '--loglevel', 'warn'], {
    cwd,
    env: {
      PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
      npm_config_user_agent: '',
      npm_config_ignore_scripts: '',
      INIT_CWD: cwd,
    },
  });
}

/** Returns the warnings in the output, without those about this computer's own npm settings. */
function warningsOf(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('npm warn') && !/ Unknown \w+ config /.test(line));
}
