import { readFile } from 'node:fs/promises';
import path from 'node:path';
import readXlsx from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { ReportResult } from '../../shared/contract/reports.ts';
import { cliHome } from '../support/desks/cli-home.ts';
import type { HomeHere } from '../support/desks/desk-here.ts';

/** Timeout of the tests and hooks (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

let home: HomeHere;
let close: () => Promise<void>;

const run = (args: readonly string[], wanted = 0): Promise<unknown> => home.value(args, '', wanted);

const Items = z.object({ items: z.array(z.record(z.string(), z.unknown())) });

const listed = async (...options: string[]) =>
  z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .parse(await run(['agreements', 'list', '--limit', '500', ...options]))
    .items.map(({ id }) => id);

beforeAll(async () => {
  ({ home, close } = await cliHome());
});
afterAll(() => close());

describe('desk report', () => {
  it('reads a service that was never read, and writes the chosen rows as CSV', async () => {
    const out = path.join(home.folder, 'signed.csv');
    const output = await run(['report', '--out', out, '--state', 'signed', '--sort', 'title']);
    const ids = await listed('--state', 'signed', '--sort', 'title');
    expect(ids.length).toBeGreaterThan(0);
    const { rows, bytes } = ReportResult.parse(output);
    const text = await readFile(out, 'utf8');
    expect([rows, bytes]).toEqual([ids.length, Buffer.byteLength(text)]);
    const [head, ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(head?.split(',').slice(0, 3)).toEqual(['Connection', 'ID', 'Title']);
    expect(lines.map((line) => line.split(',')[1])).toEqual(ids);
  });

  it('contains the chosen columns in their order', async () => {
    const out = path.join(home.folder, 'chosen.csv');
    const chosen = ['--columns', 'tags', 'title', 'party-states', 'days-waiting'];
    await run(['report', '--out', out, '--delimiter', 'semicolon', ...chosen]);
    const [head] = (await readFile(out, 'utf8')).replace('\uFEFF', '').split('\r\n');
    expect(head).toBe('Tags;Title;What parties did;Days waiting');
    await run(['report', '--out', `${out}.csv`, '--columns', 'personal-number'], 2);
  });

  it('writes an Excel spreadsheet if the file name ends in .xlsx', async () => {
    const out = path.join(home.folder, 'all.xlsx');
    await run(['report', '--out', out]);
    const [sheet] = await readXlsx(out);
    const [head, ...rows] = sheet?.data ?? [];
    expect(head?.[2]).toBe('Title');
    expect(rows).toHaveLength((await listed()).length);
  });

  it('overwrites no file, and rejects a format other than CSV and Excel with exit code 2', async () => {
    const out = path.join(home.folder, 'once.csv');
    await run(['report', '--out', out, '--delimiter', 'semicolon']);
    const before = await readFile(out, 'utf8');
    expect(before).toContain('Connection;ID;Title');
    const again = await home.json(['report', '--out', out], '');
    expect(again.exit).not.toBe(0);
    expect(await readFile(out, 'utf8')).toBe(before);
    await run(['report', '--out', path.join(home.folder, 'list.pdf')], 2);
  });
});

describe('desk agreements list', () => {
  it('shows the chosen columns by their names, in JSON and in a table', async () => {
    const columns = ['--columns', 'title', 'tags', 'days-waiting', 'party-states', 'batch'];
    const list = ['agreements', 'list', '--state', 'waiting', '--limit', '500'];
    const { items } = Items.parse(await run([...list, ...columns]));
    expect(items.map((item) => Object.keys(item))).toContainEqual([
      ...['title', 'tags', 'daysWaiting', 'partyStates', 'batch'],
    ]);
    expect(items.some(({ tags }) => Object.keys(Object(tags)).length > 0)).toBe(true);
    expect(items.some(({ daysWaiting }) => typeof daysWaiting === 'number')).toBe(true);
    const { stdout } = await home.desk([...list, ...columns]);
    expect(stdout).toMatch(/^TITLE +TAGS +DAYS WAITING +WHAT PARTIES DID +BATCH\n/);
  });
});

describe('desk archive index', () => {
  it('keeps the chosen columns until others are chosen, and requires the column of the file name', async () => {
    const columns = async (...options: string[]) =>
      z.object({ columns: z.array(z.string()) }).parse(await run(['archive', 'index', ...options]))
        .columns;
    expect((await columns()).slice(0, 3)).toEqual(['file', 'sha256', 'bytes']);
    const chosen = await columns('--columns', 'title', 'file', 'tags', 'batch-row');
    expect(chosen).toEqual(['title', 'file', 'tags', 'batchRow']);
    expect(await columns()).toEqual(chosen);
    const folder = path.join(home.folder, 'Signed');
    await run(['archive', 'run', '--to', folder]);
    const index = (await readFile(path.join(folder, 'index.csv'), 'utf8')).replace('\uFEFF', '');
    expect(index).toMatch(/^"title","file","tags","batch row"\r\n/);
    await run(['archive', 'index', '--usual']);
    await run(['archive', 'run', '--to', folder]);
    const again = await readFile(path.join(folder, 'index.csv'), 'utf8');
    expect(again.slice(1)).toMatch(/^"file","sha256","bytes"/);
    const none = await home.json(['archive', 'index', '--columns', 'title'], '');
    expect(none.exit).not.toBe(0);
  });
});
