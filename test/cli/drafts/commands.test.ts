import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { createMixedHome, type HomeHere } from '../../support/desks/desk-here.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;

let home: HomeHere;
let id = '';

beforeAll(async () => {
  home = await createMixedHome();
  const form = path.join(home.folder, 'lease.pdf');
  const body = path.join(home.folder, 'lease.json');
  await writeFile(form, await formPdf('Lease', ['tenant']));
  const person = { type: 'PRIVATE', firstName: 'Åsa', lastName: 'Öberg' };
  const party = { ...person, notifications: [], signingConfigurations: [{ type: 'CLICK' }] };
  const attachments = [{ type: 'BASE64', name: 'lease.pdf', category: 'AGREEMENT' }];
  await writeFile(body, JSON.stringify({ title: 'Lease', parties: [party], attachments }));
  const add = ['drafts', 'add', '--api', 'v1', '--from', body, '--attach', form];
  id = String((await home.value(add))['id']);
});

afterAll(() => home.remove());

const shown = async (draft: string): Promise<unknown> =>
  (await home.value(['drafts', 'show', draft]))['body'];

describe('a draft on the command line', () => {
  it(
    'is exported to a file and imported unchanged, with its documents (T1-52)',
    async () => {
      const [out, again] = ['a.signdraft', 'b.signdraft'].map((name) =>
        path.join(home.folder, name),
      );
      if (out === undefined || again === undefined) throw new Error('two files');
      await home.value(['drafts', 'export', id, '--out', out]);
      const copy = String((await home.value(['drafts', 'import', out]))['id']);
      expect(await shown(copy)).toEqual(await shown(id));
      await home.value(['drafts', 'export', copy, '--out', again]);
      expect((await readFile(again)).equals(await readFile(out))).toBe(true);
      const { exit, document } = await home.json(['drafts', 'export', id, '--out', out]);
      expect({ exit, document }).not.toMatchObject({ exit: 0 });
    },
    TIMEOUT_MS,
  );

  it(
    'is not created if its file is invalid',
    async () => {
      const file = path.join(home.folder, 'other.signdraft');
      await writeFile(file, '{"format":"something"}');
      const { exit, document } = await home.json(['drafts', 'import', file]);
      expect({ exit, document }).toMatchObject({ exit: 3, document: { ok: false } });
    },
    TIMEOUT_MS,
  );

  it(
    'is copied, deleted, listed in the trash and restored',
    async () => {
      const copy = String((await home.value(['drafts', 'duplicate', id]))['id']);
      expect(await shown(copy)).toEqual(await shown(id));
      await home.value(['drafts', 'delete', copy]);
      expect(await home.value(['drafts', 'trash'])).toMatchObject({ items: [{ id: copy }] });
      await home.value(['drafts', 'restore', copy]);
      expect(await home.value(['drafts', 'trash'])).toEqual({ items: [] });
    },
    TIMEOUT_MS,
  );

  it(
    'is converted from one API to the other, with a list of what is lost (TX-02)',
    async () => {
      const made = await home.value(['drafts', 'convert', id, '--to', 'v2']);
      expect(made['losses']).toContainEqual({ code: 'notifications', about: '' });
      expect(await shown(String(made['id']))).toMatchObject({ name: 'Lease', type: 'ATTACHED' });
    },
    TIMEOUT_MS,
  );
});
