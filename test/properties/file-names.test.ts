import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_NAME_PATTERN } from '../../shared/contract/settings.ts';
import {
  fileName,
  foldName,
  folderNames,
  NAME_TOKENS,
  type NameTokens,
} from '../../shared/rules/files/file-name.ts';
import { anyText, TIMEOUT_MS, settings } from './runs.ts';

const FORBIDDEN = /[<>:"/\\|?*\u0000-\u001f\u007f]/;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:$|[.\s])/i;
/**
 * Maximum length of a name. NTFS counts UTF-16 units, and ext4 counts bytes; a name that fits both
 * also fits APFS.
 */
const MAX_LENGTH = 255;
const PART = '.part';
const LOCALES = ['en', 'sv', 'tr', 'lt', 'az', 'el', 'de'];

const piece = fc.oneof(anyText(40), fc.string({ unit: 'grapheme', minLength: 80, maxLength: 200 }));
const tokens: fc.Arbitrary<NameTokens> = fc.record({
  id: fc.oneof(fc.uuid(), fc.stringMatching(/^\d{1,12}$/), piece),
  title: piece,
  parties: fc.array(piece, { maxLength: 3 }),
  connection: piece,
  closedAt: fc.option(fc.integer({ min: 0, max: 4_102_444_800_000 })),
  tags: fc.dictionary(fc.constantFrom('key', 'other'), piece),
  batch: fc.record({ name: piece, row: fc.nat(), key: piece }),
  counter: fc.nat(),
});
const pattern = fc.oneof(
  fc.constant(DEFAULT_NAME_PATTERN),
  fc
    .array(fc.oneof(fc.constantFrom(...NAME_TOKENS, '{tag:key}', '/', '..', ' '), piece), {
      maxLength: 4,
    })
    .map((parts) => parts.join('')),
);

/** Expects a name that follows the rules of each of the three file systems. */
function expectLegal(name: string): void {
  expect(name).not.toMatch(FORBIDDEN);
  expect(name).not.toMatch(DEVICE);
  expect(name).not.toMatch(/^[\s.]|[\s.]$/);
  expect(name.isWellFormed()).toBe(true);
  expect(name.length + PART.length).toBeLessThanOrEqual(MAX_LENGTH);
  for (const form of ['NFC', 'NFD'] as const) {
    expect(Buffer.byteLength(name.normalize(form)) + PART.length).toBeLessThanOrEqual(MAX_LENGTH);
  }
  for (const { join, dirname } of [path.posix, path.win32]) {
    const root = join('/', 'archive', 'agreements');
    expect(dirname(join(root, name))).toBe(root);
  }
}

describe('the name of an agreement’s PDF', () => {
  it('is valid on NTFS, APFS and ext4 and stays in its folder, with any title (TE-P8)', () => {
    fc.assert(
      fc.property(pattern, tokens, (given, of) => {
        const name = fileName(given, of, new Set());
        expectLegal(name);
        expect(name.endsWith('.pdf')).toBe(true);
        for (const folder of folderNames(given, of)) expectLegal(folder);
      }),
      settings,
    );
  });

  it('differs from every other name in its folder, in any case, composition and locale (TE-P9)', () => {
    fc.assert(
      fc.property(pattern, fc.array(tokens, { minLength: 2, maxLength: 3 }), (given, all) => {
        const alike = all.flatMap((of) => [of, { ...of, title: of.title.toUpperCase() }]);
        const taken = new Set<string>();
        const names = alike.map((of) => {
          const name = fileName(given, of, taken);
          taken.add(foldName(name));
          return name;
        });
        for (const form of ['NFC', 'NFD', 'NFKD'] as const) {
          const written = names.map((name) => name.normalize(form));
          expect(new Set(written.map((name) => name.toLowerCase())).size).toBe(names.length);
          expect(new Set(written.map((name) => name.toUpperCase())).size).toBe(names.length);
          if (form !== 'NFC') continue;
          for (const locale of LOCALES) {
            const lower = written.map((name) => name.toLocaleLowerCase(locale));
            expect(new Set(lower).size).toBe(names.length);
          }
        }
      }),
      settings,
    );
  });

  it(
    'can be given to a file on this disk, which is found again by that name (TE-P8)',
    async () => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'desk-names-'));
      try {
        await fc.assert(
          fc.asyncProperty(pattern, tokens, async (given, of) => {
            const name = fileName(given, of, new Set());
            await writeFile(path.join(folder, name), '');
            const found = await readdir(folder);
            expect(found.map((one) => one.normalize('NFC'))).toEqual([name]);
            await rm(path.join(folder, name));
          }),
          settings,
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    TIMEOUT_MS,
  );
});
