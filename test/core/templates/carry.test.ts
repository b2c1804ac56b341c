import { PDFDocument } from 'pdf-lib';
import { expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { PlacedField } from '../../../shared/model/placed-field.ts';
import { realForms } from '../../support/desks/batch-desk.ts';
import { createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';

const field = (name: string, x: number, y: number): PlacedField => ({
  name,
  kind: 'text',
  places: [{ page: 1, box: { x, y, width: 120, height: 20 } }],
  label: '',
  required: false,
  maxLength: null,
  fontSize: null,
  align: 'left',
  options: [],
  value: '',
});

const letter = (lines: readonly string[]) => plainPdf('Lease', lines);
const LINES = ['The tenant moves in on the first of May.', 'The rent is paid monthly.'];

/** A template of a flat PDF with a field near its text and one far from it. */
async function drawnTemplate() {
  const desk = startMemoryDesk({ ...createWorld(), pdf: realForms() });
  const put = (data: Uint8Array) => desk.bytes.put(new Uint8Array(data));
  const add = { name: 'Lease', api: 'v1', fileName: 'lease.pdf' } as const;
  const { id, revision } = await desk.api['templates.add']({
    ...add,
    bytes: put(await letter(LINES)),
  });
  const fields = [field('Beside', 80, 760), field('Apart', 300, 100)];
  const template = await desk.api['templates.place']({ id, revision, fields });
  const compare = async (data: Uint8Array) =>
    desk.api['templates.compare']({ id, bytes: put(data) });
  const replace = async (data: Uint8Array, stay: readonly string[] = []) =>
    desk.api['templates.replacePdf']({
      id,
      revision: template.revision,
      fileName: 'lease-2.pdf',
      bytes: put(data),
      stay: [...stay],
    });
  return { compare, replace };
}

const namesOf = ({
  source,
}: Awaited<ReturnType<Awaited<ReturnType<typeof drawnTemplate>>['replace']>>) =>
  source.kind === 'pdf' ? source.form.fields.map(({ name }) => name) : [];

it('drawn fields move to a new version of the PDF when the text around them is the same', async () => {
  const { compare, replace } = await drawnTemplate();
  const same = await letter(LINES);
  expect(await compare(same)).toMatchObject({ carried: ['Beside', 'Apart'], unsure: [], lost: [] });
  expect(namesOf(await replace(same))).toEqual(['Beside', 'Apart']);
});

it('drawn fields with other text around them in a new PDF need confirmation, and stay if the user agrees', async () => {
  const { compare, replace } = await drawnTemplate();
  const other = await letter(['The tenant moves out at once.', ...LINES]);
  expect(await compare(other)).toMatchObject({
    carried: ['Apart'],
    unsure: [{ name: 'Beside', why: 'text-differs', canStay: true }],
  });
  expect(namesOf(await replace(other, ['Beside']))).toEqual(['Apart', 'Beside']);
});

it('drawn fields with other text around them in a new PDF are dropped without confirmation; others stay', async () => {
  const { replace } = await drawnTemplate();
  const other = await letter(['The tenant moves out at once.', ...LINES]);
  expect(namesOf(await replace(other))).toEqual(['Apart']);
});

it('drawn fields are dropped when their page in the new PDF is missing or has another size', async () => {
  const { compare } = await drawnTemplate();
  const small = await PDFDocument.create();
  small.addPage([300, 300]);
  const { carried, unsure } = await compare(await small.save());
  expect(carried).toEqual([]);
  expect(unsure.map(({ why }) => why)).toEqual(['page-size', 'page-size']);
});
