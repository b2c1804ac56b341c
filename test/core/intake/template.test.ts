import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import type { TemplateId } from '../../../shared/model/ids.ts';
import { bytesOf } from '../../support/fakes/memory-ports.ts';
import { pdf, type Watched, watchedFolder } from './watched-folder.ts';

const field = (name: string): PdfField => ({
  name,
  type: 'text',
  page: 1,
  value: '',
  multiline: false,
  required: false,
  readOnly: false,
  maxLength: 20,
});

let place: Watched;

beforeEach(() => {
  place = watchedFolder();
});
afterEach(() => place[Symbol.dispose]());

/** A lease with two roles, a question and a counter; imported PDFs have one of its fields. */
async function addLease(): Promise<TemplateId> {
  const { desk, api } = place;
  const fields = [field('tenant'), field('rent')];
  desk.pdf.forms.set(pdf('form'), { pages: 1, fields, notices: [] });
  desk.pdf.forms.set(pdf('came'), { pages: 1, fields: [field('rent')], notices: [] });
  const { id, revision, name, content } = await api['templates.add']({
    name: 'Lease',
    api: 'v1',
    fileName: 'lease.pdf',
    bytes: desk.bytes.put(bytesOf(pdf('form'))),
  });
  if (content.body.api !== 'v1') throw new Error('Made for v1');
  content.body.title = 'Lease {number} of {Tenant}';
  content.body.roles = ['Landlord', 'Tenant'].map((role) => ({
    id: role.toLowerCase(),
    name: role,
    party: { type: 'PRIVATE', signingConfigurations: [{ type: 'CLICK' }] },
  }));
  content.questions = [
    { id: 'rent', label: 'Rent', help: '', kind: 'text', options: [], required: true },
  ];
  content.mapping = [
    { field: 'tenant', source: { from: 'party', role: 'tenant', datum: 'full-name' } },
    { field: 'rent', source: { from: 'question', question: 'rent' } },
  ];
  await api['templates.save']({ id, revision, name, content });
  return id;
}

const asa = { firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.com' };
const bo = { firstName: 'Bo', lastName: 'Ek' };

describe('a PDF imported with a template', () => {
  it('replaces the template’s PDF, with parties in their roles and the fields that it has', async () => {
    await addLease();
    place.put('came.pdf', pdf('came'));
    place.put(
      'came.json',
      JSON.stringify({
        template: 'lease',
        parties: [{ role: 'tenant', ...asa }, bo],
        answers: { rent: '9 400' },
      }),
    );
    expect(await place.take()).toMatchObject({ drafts: 1 });
    const [draft] = await place.drafts();
    expect(draft?.files).toMatchObject([{ name: 'came.pdf', fieldCount: 1 }]);
    expect(draft?.content.body).toMatchObject({
      title: 'Lease 1 of Åsa Öberg',
      parties: [
        { firstName: 'Bo', signingConfigurations: [{ type: 'CLICK' }] },
        { firstName: 'Åsa', email: 'asa@example.com' },
      ],
      attachments: [
        {
          name: 'came.pdf',
          title: 'came',
          file: draft?.files[0]?.id,
          fields: [{ name: 'rent', value: '9 400' }],
        },
      ],
    });
  });

  it('takes answers from the columns of a spreadsheet, and leaves missing answers open', async () => {
    const templateId = await addLease();
    place.put('list.csv', 'file;Förnamn;Rent;Internal\na.pdf;Bo;7 000;x\nb.pdf;Eva;;y\n');
    place.put('a.pdf', pdf('came'));
    place.put('b.pdf', pdf('b'));
    expect(await place.take({ templateId })).toMatchObject({ drafts: 2, refused: 0 });
    const bodies = (await place.drafts()).map(({ content }) => content.body);
    expect(bodies).toContainEqual(
      expect.objectContaining({
        attachments: [expect.objectContaining({ fields: [{ name: 'rent', value: '7 000' }] })],
      }),
    );
    expect((await place.api['templates.get']({ id: templateId })).used).toBe(2);
  });

  it('uses one number of the template’s counter for each draft, and none for a refused or repeated file', async () => {
    const templateId = await addLease();
    const next = async () => (await place.api['templates.get']({ id: templateId })).nextNumber;
    place.put('a.pdf', pdf('a'));
    place.put('a.json', '{"answers":{"Pets":"yes"}}');
    place.put('b.pdf', pdf('b'));
    expect(await place.take({ templateId })).toMatchObject({ drafts: 1, refused: 1 });
    expect(await next()).toBe(2);
    place.put('b.pdf', pdf('b'));
    expect(await place.take({ templateId })).toMatchObject({ drafts: 0, again: 1 });
    expect(await next()).toBe(2);
  });

  it.each([
    [
      'an answer to a question that the template does not have',
      { answers: { Pets: 'yes' } },
      'no question for answer 1',
    ],
    [
      'a party in a role that the template does not have',
      { parties: [{ ...bo, role: 'Witness' }] },
      'role of party 1',
    ],
    ['more parties than roles', { parties: [asa, bo, asa] }, 'names 3 parties'],
    ['a value that does not fit its field', { answers: { Rent: 'x'.repeat(30) } }, 'field.rent'],
    ['an API that is not the template’s', { api: 'v2', template: 'Lease' }, 'do not match'],
  ])('is refused for %s', async (_, data, sentence) => {
    const templateId = await addLease();
    place.put('a.pdf', pdf('came'));
    place.put('a.json', JSON.stringify(data));
    expect(await place.take({ templateId })).toMatchObject({ drafts: 0, refused: 1 });
    expect(place.text('refused', 'a.pdf.txt')).toContain(sentence);
  });

  it('ignores the template when its data requires the other API', async () => {
    const templateId = await addLease();
    place.put('a.pdf', pdf('a'));
    place.put('a.json', '{"api":"v2"}');
    expect(await place.take({ templateId })).toMatchObject({ drafts: 1 });
    expect((await place.drafts())[0]?.content).toMatchObject({ api: 'v2', body: { name: 'a' } });
  });
});
