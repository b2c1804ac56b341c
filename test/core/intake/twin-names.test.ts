import { expect, it } from 'vitest';
import { pdf, type Watched, watchedFolder } from './watched-folder.ts';

const JSON_TEXT = JSON.stringify({
  title: 'Rent',
  parties: [{ firstName: 'Anna', lastName: 'Ek', email: 'anna@example.com' }],
});
const ROWS = [
  'File;First name;Last name;E-mail',
  'rent.pdf;Anna;Ek;anna@example.com',
  'Rent.pdf;Bo;Ås;bo@example.com',
  '',
].join('\n');

const failures = async (place: Watched) =>
  (await place.take()).refusals.map(({ failure }) => failure.intake?.code);
const parties = async ({ api }: Watched) =>
  (await api['drafts.list']({})).map((draft) => draft.parties);

it('a sidecar file for two PDFs whose names differ only in case is used for neither (SR-I4)', async () => {
  using place = watchedFolder();
  place.put('rent.pdf', pdf('the small one'));
  place.put('Rent.pdf', pdf('the other one'));
  place.put('rent.json', JSON_TEXT);

  expect(await failures(place)).toEqual(['twin-names', 'twin-names']);
  expect(await parties(place)).toEqual([]);
  expect(place.names()).toEqual([]);
});

it('rows for two PDFs whose names differ only in case add no party to the other agreement (SR-I5)', async () => {
  using place = watchedFolder();
  place.put('rent.pdf', pdf('the small one'));
  place.put('Rent.pdf', pdf('the other one'));
  place.put('list.csv', ROWS);

  expect(await failures(place)).toEqual(['twin-names', 'twin-names']);
  expect(await parties(place)).toEqual([]);
});

it('two PDFs whose names differ only in case are both imported when no data names them (SR-I6)', async () => {
  using place = watchedFolder();
  place.put('rent.pdf', pdf('the small one'));
  place.put('Rent.pdf', pdf('the other one'));

  expect(await place.take()).toMatchObject({ drafts: 2, refused: 0 });
});
