import { expect, it } from 'vitest';
import { writeEach } from '../../../electron/core/office/items/write-each.ts';

import type { NewItemVersion } from '../../../electron/core/office/items/ports.ts';
import { AppError } from '../../../shared/errors.ts';
import { createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryOffice, join } from './memory-office.ts';

const refusal = () => new AppError('service', 'The office’s database refused a request');
const versions = (count: number): readonly NewItemVersion[] =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'person',
    id: String(at),
    version: 1,
    content: {},
  }));

it('an exchange shares all entries of an address book except a refused entry, and names that entry (SR-P10)', async () => {
  const office = createMemoryOffice();
  office.refuses = ({ content }) => JSON.stringify(content).includes('Karin');
  const world = { ...createWorld(), offices: office.offices };
  await join(world);
  const { api, desk } = startMemoryDesk(world);
  const blank = { name: '', mobile: '', country: '', companyNumber: '' } as const;
  for (const firstName of ['Astrid', 'Karin', 'Olle']) {
    const email = `${firstName.toLowerCase()}@example.com`;
    const entry = { kind: 'person', firstName, lastName: 'Lind', email, ...blank } as const;
    await api['people.save']({ id: null, entry });
  }
  await api['office.share']({ set: 'address-book', isShared: true });
  await api['office.exchange']({});
  expect(office.count.written).toBe(2);
  const { failure } = await api['office.sharing']({});
  expect(failure).toMatchObject({ code: 'service', message: expect.stringContaining('person') });
  await api['office.exchange']({});
  expect((await api['office.sharing']({})).failure).toMatchObject({ code: 'service' });
  office.refuses = () => false;
  await api['people.save']({
    id: null,
    entry: { kind: 'person', firstName: 'Bo', lastName: '', email: 'bo@example.com', ...blank },
  });
  await api['office.exchange']({});
  expect(office.count.written).toBe(4);
  expect((await api['office.sharing']({})).failure).toBeNull();
  await desk.stop();
});

it('an exchange stops after about twenty refused items when the office refuses everything (SR-P10)', async () => {
  let asked = 0;
  const write = async () => {
    asked += 1;
    throw refusal();
  };
  await expect(writeEach({ write }, versions(1000))).rejects.toMatchObject({
    failure: { code: 'service' },
  });
  expect(asked).toBeLessThan(60);
});

it.each(['offline', 'conflict', 'forbidden'] as const)(
  'an exchange does not repeat its write when the office answers with “%s” (SR-P10)',
  async (code) => {
    let asked = 0;
    const write = async () => {
      asked += 1;
      throw new AppError(code, 'Not now');
    };
    await expect(writeEach({ write }, versions(10))).rejects.toMatchObject({ failure: { code } });
    expect(asked).toBe(1);
  },
);
