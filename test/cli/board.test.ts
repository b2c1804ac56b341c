import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Board } from '../../shared/contract/board.ts';
import { cliHome } from '../support/desks/cli-home.ts';
import type { HomeHere } from '../support/desks/desk-here.ts';

/** Timeout of the tests and hooks (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

let home: HomeHere;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ home, close } = await cliHome());
});
afterAll(() => close());

const read = async (...options: string[]) => {
  const value = await home.value(['board', ...options]);
  return Board.omit({ at: true }).parse(value);
};

describe('desk board', () => {
  it('reads a service that was never read, and counts as many agreements as the agreement list', async () => {
    const { waiting, signing } = await read();
    const open = ['--state', 'waiting', 'part-signed', 'unknown', '--not-gone', '--limit', '1'];
    const list = await home.value(['agreements', 'list', ...open]);
    const sum = waiting.bars.reduce((all, { count }) => all + count, waiting.unknown);
    expect(sum).toBe(Object(list).total);
    expect(sum).toBeGreaterThan(0);
    expect(signing.months.length).toBeGreaterThan(0);
  });

  it('shows 14 days ahead on request, otherwise five, and rejects 15 with exit code 2', async () => {
    expect((await read('--days', '14')).expiring.bars).toHaveLength(14);
    expect((await read()).expiring.bars).toHaveLength(5);
    expect((await home.json(['board', '--days', '15'])).exit).toBe(2);
  });

  it('explains what each chart counts, and what it excludes', async () => {
    const { stdout } = await home.desk(['board', '--plot', 'waiting', 'failed']);
    expect(stdout).toMatch(
      /^Waiting by age\nOpen agreements by number of days since they were sent\.\n/,
    );
    expect(stdout).toMatch(/^DAYS SINCE SENT +AGREEMENTS$/m);
    expect(stdout).toMatch(/^1-3 days +\d+$/m);
    expect(stdout).toMatch(/^sends that the service refused +\d+$/m);
    expect(stdout).not.toContain('Time to signature');
  });

  it('saves a table of all charts or a picture of one, and never overwrites a file', async () => {
    const csv = path.join(home.folder, 'board.csv');
    await home.value(['board', '--out', csv]);
    const text = (await readFile(csv, 'utf8')).replace('\uFEFF', '');
    expect(text).toMatch(/^Plot[,;]Group[,;]Measure[,;]Value\r\n/);
    expect(text).toMatch(/^Waiting by age[,;]0 days[,;]Agreements[,;]\d+\r$/m);
    const svg = path.join(home.folder, 'signing.svg');
    await home.value(['board', '--plot', 'signing', '--out', svg]);
    expect(await readFile(svg, 'utf8')).toMatch(/^<svg [^]*<title id="title">Time to signature/);
    expect((await home.json(['board', '--out', path.join(home.folder, 'all.svg')])).exit).not.toBe(
      0,
    );
    expect((await home.json(['board', '--out', csv])).exit).not.toBe(0);
    expect((await home.json(['board', '--out', 'board.pdf'])).exit).toBe(2);
  });
});
