import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../electron/adapters/system/log.ts';
import type { Clock } from '../../../electron/core/ports.ts';
import { AppError } from '../../../shared/errors.ts';
import { findLeaks } from '../../support/leak-scan.ts';

const clock: Clock = { now: () => Date.UTC(2027, 0, 2), after: () => () => undefined };

let dataDir: string;
const file = (): string => path.join(dataDir, 'log', 'desk.log');
const lines = (): unknown[] =>
  readFileSync(file(), 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'desk-log-'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

it('the log has one line of JSON per event, for the owner only', () => {
  createLog(dataDir, clock).info('sync.finished', { requests: 3, code: 'ok' });
  expect(lines()).toEqual([
    { at: '2027-01-02T00:00:00.000Z', event: 'sync.finished', requests: 3, code: 'ok' },
  ]);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

it('the log drops every field that is not on its list', () => {
  createLog(dataDir, clock).info('saved', { title: 'Avtal med Anna', personNumber: '1', saved: 1 });
  expect(lines()).toEqual([{ at: '2027-01-02T00:00:00.000Z', event: 'saved', saved: 1 }]);
});

it('the log has an error with its causes under the returned reference', () => {
  const cause = new TypeError('inner reason');
  const ref = createLog(dataDir, clock).error(new AppError('storage', 'outer', { cause }), 'test');
  expect(ref).toMatch(/^[0-9a-f]{8}$/);
  expect(lines()).toMatchObject([{ event: 'error', ref, during: 'test' }]);
  expect(readFileSync(file(), 'utf8')).toMatch(/outer.*log\.test\.ts.*\[storage\].*inner reason/);
});

it('the log has no secrets or personal data, for any thrown value (TX-50)', () => {
  const secrets = [
    'sekret.Token-77aB',
    'anna.svensson@example.se',
    '199001012384',
    '900101-2384',
    '100190-999P',
    '01019012345',
    '0101901234',
    '+46701234567',
    '070-123 45 67',
    'X-Amz-Signature-value',
    'a1b2c3d4'.repeat(8),
  ];
  const [token, email, se12, se10, fi, no, dk, phone, local, query, key] = secrets;
  const log = createLog(dataDir, clock);
  const text =
    `Authorization: Bearer ${token}; {"accessKey":"${token}"} ${email} ${se12} ${se10} ${fi} ${no} ` +
    `${dk} ${phone} ${local} https://files.example/x.pdf?X-Amz-Signature=${query} key ${key}`;
  log.error(new Error(text, { cause: new Error(text) }), text);
  log.error(text, 'a thrown text');
  log.error({ toString: () => text }, 'a thrown object');
  log.info(text, { route: text, reason: text, title: text });
  expect(findLeaks([dataDir], secrets)).toEqual([]);
  expect(lines()).toHaveLength(4);
});

it('the log starts a new file at a megabyte and keeps two older ones', () => {
  const log = createLog(dataDir, clock);
  for (const round of [1, 2, 3, 4]) {
    log.info('round', { count: round });
    writeFileSync(file(), `${readFileSync(file(), 'utf8')}${' '.repeat(999_990)}\n`);
  }
  log.info('round', { count: 5 });
  expect(readdirSync(path.join(dataDir, 'log')).sort()).toEqual([
    'desk.1.log',
    'desk.2.log',
    'desk.log',
  ]);
  expect(lines()).toMatchObject([{ count: 5 }]);
  expect(readFileSync(path.join(dataDir, 'log', 'desk.2.log'), 'utf8')).toContain('"count":3');
});

it('a log that cannot be written does not stop the work', () => {
  writeFileSync(path.join(dataDir, 'log'), 'a file where the folder should be');
  const log = createLog(dataDir, clock);
  expect(log.error(new Error('x'), 'test')).toHaveLength(8);
});
