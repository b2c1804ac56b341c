import { expect, it } from 'vitest';
import { templateNamed } from '../../../electron/hosts/cli/commands/templates/names.ts';
import { startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { bytesOf } from '../../support/fakes/memory-ports.ts';

const PDF = '%PDF-1.7 lease';

it('templates with one name, imported or copied, are looked up by ID and never guessed (FE-D5)', async () => {
  const desk = startMemoryDesk();
  desk.pdf.forms.set(PDF, { pages: 1, fields: [], notices: [] });
  const add = (api: 'v1' | 'v2' = 'v1', name = 'Lease') => {
    const bytes = desk.bytes.put(bytesOf(PDF));
    return desk.api['templates.add']({ name, api, fileName: 'lease.pdf', bytes });
  };
  const { id } = await add();
  await expect(add('v2', ' lease ')).rejects.toMatchObject({
    failure: { code: 'conflict', reason: 'name-taken' },
  });
  const { out } = await desk.api['templates.export']({ id });
  const file = desk.bytes.take(out);
  const copy = await desk.api['templates.import']({ bytes: desk.bytes.put(file) });
  await expect(templateNamed(desk, 'Lease')).rejects.toMatchObject({
    failure: { code: 'invalid', message: expect.stringContaining(`${id}, `) as string },
  });
  await expect(templateNamed(desk, 'LEASE')).rejects.toMatchObject({
    failure: { message: expect.stringContaining(copy.id) as string },
  });
  expect(await templateNamed(desk, copy.id)).toMatchObject({ id: copy.id });
  await desk.api['templates.remove']({ id });
  expect(await templateNamed(desk, 'lease')).toMatchObject({ id: copy.id });
  await expect(templateNamed(desk, 'Nobody')).rejects.toMatchObject({
    failure: { code: 'not-found' },
  });
});
