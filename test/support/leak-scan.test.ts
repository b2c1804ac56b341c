import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findLeaks } from './leak-scan.ts';

const secret = '19121212-1212';
const written = {
  raw: `before ${secret} after`,
  base64: Buffer.from(`x${secret}yz`).toString('base64'),
  url: `a=${[...secret].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')}`,
  json: [...secret].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(''),
  'utf-16': Buffer.from(`x${secret}`, 'utf16le'),
  hex: Buffer.from(secret).toString('hex').toUpperCase(),
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-leaks-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it.each(Object.entries(written))(
  'the leak scan finds a secret written as %s',
  (encoding, content) => {
    writeFileSync(path.join(folder, 'file'), content);
    expect(findLeaks([folder], ['87654321', secret])).toEqual([
      { file: path.join(folder, 'file'), secret: 1, encoding },
    ]);
  },
);

it.each([0, 1, 2, 3])(
  'the leak scan finds a secret in Base64 that starts %i bytes into a text',
  (offset) => {
    writeFileSync(
      path.join(folder, 'file'),
      Buffer.from('-'.repeat(offset) + secret).toString('base64'),
    );
    expect(findLeaks([folder], [secret])).toHaveLength(1);
  },
);

it('the leak scan finds a secret in a file name', () => {
  writeFileSync(path.join(folder, `${secret}.pdf`), '');
  expect(findLeaks([folder], [secret])).toHaveLength(1);
});

it('the leak scan finds no leak in other text or in a folder that does not exist', () => {
  writeFileSync(path.join(folder, 'file'), '19121212-121');
  expect(findLeaks([folder, path.join(folder, 'missing')], [secret])).toEqual([]);
});
