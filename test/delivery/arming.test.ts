// tier: quick, 30 s, because nothing may be sent twice
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wasKilled } from '../support/killed.ts';

const CHILD = path.resolve(import.meta.dirname, 'children/batch.ts');
const ROWS = 12;
/** Allows for two starts of the whole program, one after the other. */
const TIMEOUT_MS = 1_200_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-arming-'));
  await writeFile(path.join(folder, 'desk.key'), randomBytes(32), { mode: 0o600 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function life(killAt: string | null) {
  const order = { folder: path.join(folder, 'data'), keyfile: path.join(folder, 'desk.key') };
  const env = {
    PATH: process.env['PATH'] ?? '',
    DESK_ORDER: JSON.stringify({ ...order, rows: ROWS, killAt }),
    // The same code is started six times, so the first full start's compiled form is kept.
    NODE_COMPILE_CACHE: path.join(tmpdir(), 'desk-arming-code'),
  };
  const child = spawn(process.execPath, [CHILD], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<boolean>((resolve) => {
    child.once('close', (code, signal) => resolve(wasKilled(code, signal)));
  });
  return { said: await text(child.stdout), isKilled: await ended };
}

describe(
  'a batch, when the program is killed while it arms the batch (TX-12)',
  { timeout: TIMEOUT_MS },
  () => {
    for (const [name, point, after] of [
      ['K01: all frozen, none armed', 'before-arm', { stage: 'open', armed: [], staged: 0 }],
      ['K02: half of them armed', 'inside-arm', { stage: 'open', armed: [], staged: 0 }],
      ['K03: all armed', 'after-arm', { stage: 'armed', armed: [ROWS], staged: 0 }],
    ] as const) {
      it(`has either none or all of its rows in the outbox (${name})`, async () => {
        expect(await life(point)).toEqual({ said: '', isKilled: true });
        const { said } = await life(null);
        expect(JSON.parse(said)).toEqual(after);
      });
    }
  },
);
