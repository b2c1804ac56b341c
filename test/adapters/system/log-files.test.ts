import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../electron/adapters/system/log.ts';
import { createLogFiles } from '../../../electron/adapters/system/log-files.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

let folder: string;
let at: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-log-'));
  at = NOW;
});
afterEach(() => rmSync(folder, { recursive: true }));

const log = () => createLog(folder, { now: () => at, after: () => () => {} });
const inLog = (name: string) => path.join(folder, 'log', name);

it('log lines are removed by their own time, and files with their last line', () => {
  for (const days of [40, 20, 1]) {
    at = NOW - days * DAY;
    log().info('synced', { count: days });
  }
  const old = JSON.stringify({ at: new Date(NOW - 90 * DAY).toISOString(), event: 'old' });
  writeFileSync(inLog('desk.1.log'), `${old}\n${old}\n`);
  const files = createLogFiles(folder);
  const before = NOW - 30 * DAY;
  expect(files.old(before)).toMatchObject({ number: 3, oldest: NOW - 90 * DAY, younger: 2 });
  expect(files.drop(before)).toBe(3);
  expect(readdirSync(path.join(folder, 'log'))).toEqual(['desk.log']);
  const kept = readFileSync(inLog('desk.log'), 'utf8').trim().split('\n');
  expect(kept.map((line) => JSON.parse(line).count)).toEqual([20, 1]);
  expect(files.bytes()).toBe(statSync(inLog('desk.log')).size);
  expect(files.drop(before)).toBe(0);
});

it('a truncated log line is removed together with the next line, and other files stay', () => {
  mkdirSync(path.join(folder, 'log'));
  const line = (days: number) =>
    JSON.stringify({ at: new Date(NOW - days * DAY).toISOString(), event: 'x' });
  writeFileSync(inLog('desk.log'), `{"at":"20\n${line(40)}\n{"ev\n${line(1)}\n`);
  writeFileSync(inLog('notes.txt'), line(90));
  expect(createLogFiles(folder).drop(NOW - 30 * DAY)).toBe(2);
  expect(readFileSync(inLog('desk.log'), 'utf8')).toBe(`{"ev\n${line(1)}\n`);
  expect(readdirSync(path.join(folder, 'log')).toSorted()).toEqual(['desk.log', 'notes.txt']);
});

it('an empty log has no old lines', () => {
  const files = createLogFiles(folder);
  expect([files.old(NOW).number, files.drop(NOW), files.bytes()]).toEqual([0, 0, 0]);
});
