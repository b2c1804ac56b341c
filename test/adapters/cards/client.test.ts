import { expect, it } from 'vitest';
import { createCardReader } from '../../../electron/adapters/cards/client.ts';

const cards = (count: number): Uint8Array =>
  Buffer.from('BEGIN:VCARD\nVERSION:3.0\nN:Berg;Anna\nEND:VCARD\n'.repeat(count));

it('a vCard file is read in its own thread, and the program stays responsive (SR-M7)', async () => {
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const read = await createCardReader().read(cards(1000));
  clearImmediate(next);
  expect(read).toHaveLength(1000);
  expect(read[999]).toMatchObject({ place: 1000, facts: { lastName: 'Berg' }, refusal: null });
  expect(turns).toBeGreaterThan(0);
});
