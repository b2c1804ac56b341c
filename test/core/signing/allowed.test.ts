import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { DraftBodyV2 } from '../../../shared/contract/drafts.ts';
import type { IdentityId } from '../../../shared/model/ids.ts';
import { connectV2, createDemoWorld } from '../../support/desks/demo-desk.ts';
import { bodyV2, type MemoryDesk, startMemoryDesk } from '../../support/fakes/memory-desk.ts';

type AllowedPersons = DraftBodyV2['parties']['companies'][number]['allowedPersons'];

let demo: Demo;
let desk: MemoryDesk;

beforeEach(async () => {
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  desk = startMemoryDesk(createDemoWorld());
});

afterEach(() => demo.close());

async function addIdentity(firstName: string, personNumber: string): Promise<IdentityId> {
  const person = { name: firstName, firstName, lastName: 'Lind', country: 'SE', personNumber };
  return (await desk.api['identities.add'](person)).id;
}

/** Sends an agreement that our company signs, from its own desk or from the requesting one. */
async function send(from: MemoryDesk, allowedPersons: AllowedPersons): Promise<void> {
  const connectionId = await connectV2(from, demo);
  const contact = { firstName: 'Karin', lastName: 'Lind', email: 'karin@example.com' };
  const company = {
    orgNo: demo.company.orgNo,
    ...contact,
    ...(allowedPersons !== undefined && { allowedPersons }),
  };
  const body = { ...bodyV2('Lease'), parties: { privates: [], companies: [company] } };
  const content = { api: 'v2', body } as const;
  const { id } = await from.api['drafts.create']({ content, connectionId });
  await from.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
  const [item] = await from.api['outbox.run']({});
  expect(item?.state).toBe('sent');
}

/** Persons who may sign the waiting agreement, after reading it again. */
async function allowed(): Promise<readonly IdentityId[] | null> {
  const { jobId } = await desk.api['agreements.sync']({});
  await desk.finish(jobId);
  const [item] = await desk.api['signing.list']({});
  if (item === undefined) throw new Error('nothing waits for us');
  return item.allowed;
}

describe('identities of the user that may sign for the company', () => {
  it('are those named in the request, in any form of the number (T2-54)', async () => {
    const karin = await addIdentity('Karin', '198507099805');
    await addIdentity('Bo', '189001019802');
    await send(desk, [{ personNo: '850709-9805' }]);
    expect(await allowed()).toEqual([karin]);
  });

  it('are none when the request named only other people (T2-54)', async () => {
    await addIdentity('Bo', '189001019802');
    await send(desk, [{ personNo: '198507099805' }]);
    expect(await allowed()).toEqual([]);
  });

  it('are all when the request named no one (T2-54)', async () => {
    await addIdentity('Bo', '189001019802');
    await send(desk, undefined);
    expect(await allowed()).toBeNull();
  });

  it('are unknown for an agreement sent elsewhere, since the service does not report them (T2-54)', async () => {
    await addIdentity('Bo', '189001019802');
    await send(startMemoryDesk(createDemoWorld()), [{ personNo: '198507099805' }]);
    await connectV2(desk, demo);
    expect(await allowed()).toBeNull();
  });
});
