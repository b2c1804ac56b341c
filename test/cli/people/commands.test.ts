import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { place as inRepository } from '../../../build/places.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;

let home: HomeHere;

beforeAll(async () => {
  home = await createMixedHome();
  const person = ['--first', 'Åsa', '--last', 'Öberg', '--person-no', '19850709-9805'];
  const more = ['--email', 'asa@example.com', '--mobile', '070-123 45 67'];
  await home.value(['people', 'add', ...person, ...more]);
});

afterAll(() => home.remove());

const people = (...args: readonly string[]) => home.value(['people', ...args]);

describe('the address book on the command line', () => {
  it(
    'is listed, shown and changed, with masked personal numbers',
    async () => {
      expect(await people('list', '--search', 'oberg')).toMatchObject({
        total: 1,
        items: [{ title: 'Åsa Öberg', number: '19850709••••', usedAt: null }],
      });
      await people('edit', 'asa@example.com', '--last', 'Lind', '--mobile', '');
      expect(await people('show', 'Åsa Lind')).toMatchObject({
        lastName: 'Lind',
        mobile: null,
        number: '19850709••••',
      });
      await people('edit', 'Åsa Lind', '--last', 'Öberg');
    },
    TIMEOUT_MS,
  );

  it(
    'refuses invalid values, and names the option',
    async () => {
      const { exit, document } = await home.json(['people', 'add', '--email', 'nobody']);
      expect(exit).toBe(3);
      expect(document).toMatchObject({ error: { code: 'invalid', fields: { email: /./ } } });
    },
    TIMEOUT_MS,
  );

  it(
    'suggests duplicates, and merges two entries',
    async () => {
      await people('add', '--first', 'Asa', '--last', 'Öberg', '--email', 'asa@example.com');
      const { items } = await people('merge');
      expect(items).toMatchObject([{ reasons: ['email', 'name'] }]);
      await people('merge', 'Åsa Öberg', 'Asa Öberg');
      expect(await people('list', '--search', 'oberg')).toMatchObject({ total: 1 });
    },
    TIMEOUT_MS,
  );

  it(
    'imports a file, names rejected rows, and stores nothing in a check',
    async () => {
      const file = path.join(home.folder, 'people.csv');
      await writeFile(file, 'Namn;E-post\nBo Ek;bo@example.com\nEva Frisk;eva at home\n');
      const refused = [{ row: 3, who: 'Eva Frisk', reason: 'email' }];
      const { exit, document } = await home.json(['people', 'import', file, '--check']);
      expect({ exit, document }).toMatchObject({ exit: 3, document: { value: { refused } } });
      expect(await people('list', '--search', 'bo ek')).toMatchObject({ total: 0 });
      const run = await home.json(['people', 'import', file]);
      expect(run).toMatchObject({ exit: 6, document: { value: { added: 1, refused } } });
      const cards = inRepository('test/fixtures/vcards/thunderbird.vcf');
      expect(await people('import', cards)).toMatchObject({ added: 1, refused: [] });
    },
    TIMEOUT_MS,
  );

  it(
    'is exported as vCards and as CSV, with personal numbers only on request',
    async () => {
      const written = async (...args: readonly string[]): Promise<string> => {
        const { file } = await people('export', ...args);
        return readFile(String(file), 'utf8');
      };
      const out = (name: string): string => path.join(home.folder, name);
      expect(await written('--out', out('a.vcf'))).toContain('FN:Åsa Öberg');
      expect(await written('--out', out('a.csv'))).not.toContain('198507099805');
      expect(await written('--out', out('b.csv'), '--numbers')).toContain('198507099805');
    },
    TIMEOUT_MS,
  );

  it(
    'forgets a person only if the count is confirmed, and then permanently',
    async () => {
      expect(await people('forget', 'Åsa Öberg')).toMatchObject({ title: 'Åsa Öberg' });
      const wrong = await home.json(['people', 'forget', 'Åsa Öberg', '--confirm', '2']);
      expect(wrong).toMatchObject({ exit: 3 });
      expect(await people('forget', 'Åsa Öberg', '--confirm', '1')).toMatchObject({ people: 1 });
      expect(await people('list', '--search', 'oberg')).toMatchObject({ total: 0 });
      expect(await people('erasures')).toMatchObject({ items: [{ people: 1, drafts: 0 }] });
      await people('remove', 'Bo Ek');
      expect(await people('groups')).toEqual({ items: [] });
    },
    TIMEOUT_MS,
  );
});
