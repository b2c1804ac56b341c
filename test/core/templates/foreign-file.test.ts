import { expect, it } from 'vitest';
import { addLease, startBatchDesk } from '../../support/desks/batch-desk.ts';

it.each([
  ['the name reverses the text direction', '"name":"Lease"', '"name":"a\\u202Eb"'],
  ['the name contains a null character', '"name":"Lease"', '"name":"a\\u0000b"'],
  ['the name of the PDF reverses the text direction', 'Hyresavtal.pdf', 'fdp.\\u202Eexe'],
  ['the title reverses the text direction', 'Lease {Tenant}', '\\u2066Lease'],
  ['a question reverses the text direction', '"label":"Monthly rent"', '"label":"\\u202Etner"'],
  ['a fixed value reverses the text direction', '"value":"true"', '"value":"\\u202Etrue"'],
])(
  'an imported template is rejected when %s, and none of it is stored (SR-I12)',
  async (_, written, strange) => {
    using place = await startBatchDesk();
    const { api, bytes } = place.desk;
    const { id } = await addLease(place.desk);
    const { out } = await api['templates.export']({ id });
    const text = Buffer.from(bytes.take(out)).toString('latin1');
    expect(text).toContain(written);
    const changed = bytes.put(
      new Uint8Array(Buffer.from(text.replace(written, strange), 'latin1')),
    );
    await expect(api['templates.import']({ bytes: changed })).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
    expect(await api['templates.list']({})).toHaveLength(1);
  },
);
