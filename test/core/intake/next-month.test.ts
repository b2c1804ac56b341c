import { utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { DAY, MINUTE } from '../../../shared/rules/time/units.ts';
import { pdf, type Watched, watchedFolder } from './watched-folder.ts';

const JSON_TEXT = JSON.stringify({
  title: 'Rent',
  parties: [{ firstName: 'Anna', lastName: 'Ek', email: 'anna@example.com' }],
});
const HEAD = 'File;Title;First name;Last name;E-mail';
const SHEET = `${HEAD}\nrent.pdf;Rent;Anna;Ek;anna@example.com\n`;
const sides = [
  ['rent.json', JSON_TEXT],
  ['list.csv', SHEET],
] as const;

const parties = async ({ api }: Watched) =>
  (await api['drafts.list']({})).map((draft) => draft.parties);
/** Sets this modification time on the file in its folder. */
const setTime = (place: Watched, name: string, when: number) => {
  utimesSync(place.at(name), new Date(when), new Date(when));
};

for (const [side, text] of sides) {
  it(`${side} identical to last month’s waits for its own PDF (DL-Q4)`, async () => {
    using place = watchedFolder();
    place.put('rent.pdf', pdf('January'));
    place.put(side, text);
    expect(await place.take()).toMatchObject({ drafts: 1 });
    place.clock.advance(30 * DAY);
    await place.take();
    place.put(side, text);
    expect(await place.take()).toMatchObject({ drafts: 0, waiting: 1 });
    expect(place.names()).toEqual([side]);
    place.put('rent.pdf', pdf('February'));
    expect(await place.take()).toMatchObject({ drafts: 1 });
    expect(await parties(place)).toEqual([['Anna Ek'], ['Anna Ek']]);
    expect(place.names()).toEqual([]);
  });

  it(`${side} counts as new even without a check in between and with the same time (DL-Q4)`, async () => {
    using place = watchedFolder();
    const written = place.clock.now() - MINUTE;
    place.put('rent.pdf', pdf('January'));
    place.put(side, text);
    setTime(place, side, written);
    expect(await place.take()).toMatchObject({ drafts: 1 });
    place.put(side, text);
    setTime(place, side, written);
    expect(await place.take()).toMatchObject({ drafts: 0, waiting: 1 });
    expect(place.names()).toEqual([side]);
  });

  it(`${side} is moved after a PDF that arrived again with it (DL-Q4)`, async () => {
    using place = watchedFolder();
    for (const count of [1, 0]) {
      place.put('rent.pdf', pdf('January'));
      place.put(side, text);
      expect(await place.take()).toMatchObject({ drafts: count, again: 1 - count });
      expect(place.names()).toEqual([]);
      place.clock.advance(DAY);
    }
  });
}

it('a .json that could not be moved after its PDF is moved later (DL-Q4)', async () => {
  let isHeld = true;
  using place = watchedFolder((world) => ({
    watched: {
      ...world.watched,
      async move(folder, file, to, note) {
        if (isHeld && file.entry.name === 'rent.json') throw new AppError('storage', 'Held');
        return world.watched.move(folder, file, to, note);
      },
    },
  }));
  place.put('rent.pdf', pdf('January'));
  place.put('rent.json', JSON_TEXT);
  expect((await place.jobOf()).failure).toMatchObject({ code: 'storage' });
  expect(place.names()).toEqual(['rent.json']);
  isHeld = false;
  await place.take();
  expect(place.names()).toEqual([]);
  expect(await parties(place)).toEqual([['Anna Ek']]);
});

it('a spreadsheet changed between its PDFs moves to done after the last PDF arrived (DL-Q4)', async () => {
  using place = watchedFolder();
  const two = (name: string) => `${SHEET}garage.pdf;Garage;${name};Ek;bo@example.com\n`;
  place.put('rent.pdf', pdf('Rent'));
  place.put('list.csv', two('Bu'));
  expect(await place.take()).toMatchObject({ drafts: 1, waiting: 1 });
  place.put('list.csv', two('Bo'));
  place.put('garage.pdf', pdf('Garage'));
  expect(await place.take()).toMatchObject({ drafts: 1, waiting: 0 });
  expect(place.names()).toEqual([]);
  expect((await parties(place)).toSorted()).toEqual([['Anna Ek'], ['Bo Ek']]);
});
