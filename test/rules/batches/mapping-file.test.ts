import { describe, expect, it } from 'vitest';
import { mappingFrom } from '../../../shared/rules/batches/mapping-file.ts';
import { errors, mappingV2, rowOf } from './row.ts';

describe('the document of a row', () => {
  it('is the document of the template: a path in a cell is text, and one in a mapping is ignored', () => {
    const paths = ['../../etc/passwd', '\\\\server\\share\\a.pdf', 'C:\\a.pdf', 'lease.pdf'];
    for (const path of paths) {
      const file = { parties: [], fields: { rent: '{Rent}' }, attachments: [{ path, data: path }] };
      const mapping = mappingFrom(file, 'v1');
      expect(mapping).toEqual({ api: 'v1', body: { parties: [] }, fields: { rent: '{Rent}' } });
      const { content, fields } = rowOf({ Rent: path });
      expect(fields).toContainEqual({ name: 'rent', value: path });
      const attached = content.api === 'v1' ? content.body.attachments : [];
      expect(attached.map((one) => 'file' in one && one.file)).toEqual([
        '00000000-0000-4000-8000-000000000001',
      ]);
    }
  });

  it('is rejected from 12 MB on before anything is sent (v2)', () => {
    const mapping = mappingV2;
    expect(errors({}, { mapping, bytes: 11_999_999 })).toEqual([]);
    for (const bytes of [12_000_000, 12_000_001]) {
      expect(errors({}, { mapping, bytes })).toEqual([':too-large']);
    }
  });
});

describe('a column mapping read from a file', () => {
  it('belongs to the API it is read for, and keeps its texts', () => {
    const text = { name: 'Lease {Last name}', parties: { privates: [], companies: [] } };
    expect(mappingFrom(text, 'v2')).toEqual({ api: 'v2', body: text, fields: {} });
  });

  it('is invalid when it is not an object, or its fields are not texts', () => {
    for (const read of [null, 'x', 7, { fields: { rent: 7 } }, { fields: 'x' }]) {
      expect(mappingFrom(read, 'v1')).toBeNull();
    }
  });
});
