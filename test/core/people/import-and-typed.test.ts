import { expect, test } from 'vitest';
import type { MemoryDesk } from '../../support/fakes/memory-desk.ts';
import { type BatchDesk, startBatchDesk } from '../../support/desks/batch-desk.ts';
import { entryOf } from '../../support/person-entry.ts';

const HEAD = 'Förnamn;Efternamn;E-post;Mobil\r\n';
const ASA = 'Åsa;Öberg;asa@example.com;0701234567\r\n';
const OTHERS = Array.from({ length: 200 }, (_, at) => `Bo;Ek ${at};bo${at}@example.com;\r\n`);

const read = ({ api, bytes }: MemoryDesk, text: string) =>
  api['people.readImport']({
    bytes: bytes.put(new Uint8Array(Buffer.from(`\uFEFF${text}`))),
    fileName: 'people.csv',
  });

test('a personal number typed after the preview of an import is not overwritten by it (SR-I1)', async () => {
  using batchDesk = await startBatchDesk();
  const { desk } = batchDesk;
  const { id } = await read(desk, HEAD + ASA);
  const entry = entryOf({ mobile: '0709999999' });
  const typed = await desk.api['people.save']({ id: null, entry });

  await expect(desk.api['people.import']({ id, changes: true })).rejects.toMatchObject({
    failure: { code: 'conflict', reason: 'import-gone' },
  });
  expect(await desk.api['people.show']({ id: typed.id })).toMatchObject({
    mobile: '+46709999999',
  });
});

test('text typed during an import of people is kept if the import is undone (SR-I2)', async () => {
  using batchDesk = await startBatchDesk();
  const { desk, id, running } = await importing(batchDesk);
  batchDesk.world.clock.advance(1000);
  await desk.api['people.save']({ id, entry: entryOf({ mobile: '0709999999' }) });
  const { change } = await running;

  await expect(desk.api['people.undo']({ change })).rejects.toMatchObject({
    failure: { code: 'conflict', reason: 'change-gone' },
  });
  expect(await desk.api['people.show']({ id })).toMatchObject({ mobile: '+46709999999' });
});

test('a group keeps a member added after an import of people if the import is undone (SR-I3)', async () => {
  using batchDesk = await startBatchDesk();
  const { desk, id, running } = await importing(batchDesk);
  const { change } = await running;
  const board = await desk.api['people.saveGroup']({ name: 'Board', content: null });
  await desk.api['people.setMember']({ id, group: board.id, isIn: true });

  await expect(desk.api['people.undo']({ change })).rejects.toMatchObject({
    failure: { code: 'conflict', reason: 'change-gone' },
  });
  expect(await desk.api['people.groups']({})).toMatchObject([{ name: 'Board', members: 1 }]);
});

/** An unfinished import that has given Åsa a number. */
async function importing({ desk }: BatchDesk) {
  const { id } = await desk.api['people.save']({ id: null, entry: entryOf({}) });
  const look = await read(desk, HEAD + ASA + OTHERS.join(''));
  const running = desk.api['people.import']({ id: look.id, changes: true });
  for (;;) {
    const { mobile } = await desk.api['people.show']({ id });
    if (mobile === '+46701234567') return { desk, id, running };
    await new Promise((resolve) => setImmediate(resolve));
  }
}
