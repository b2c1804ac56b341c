import { expect, it } from 'vitest';
import { AgreementId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { pageOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  addDraftV1,
  addDraftV2,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

it.each(['v1', 'v2'] as const)(
  'an agreement just sent over %s is known by its id before any sync (FE-D10)',
  async (api) => {
    const desk = startMemoryDesk();
    const { id: connectionId } = await addConnection(desk, api);
    const { id: draft } = await (api === 'v1' ? addDraftV1(desk) : addDraftV2(desk));
    await desk.api['drafts.send']({ id: draft, connectionId, holdSeconds: 0, confirm: 1 });
    await desk.api['outbox.run']({});
    const id = AgreementId.parse('remote-1');
    desk.services[api].agreements.set(id, remoteOf({ id, title: 'Just sent' }));
    expect(await desk.api['agreements.find']({ id })).toEqual([{ connectionId, id }]);
    const shown = await desk.api['agreements.show']({ connectionId, id, refresh: false });
    expect(shown).toMatchObject({ title: 'Just sent' });
    // Only a sync finds agreements that were not sent from this computer.
    const other = AgreementId.parse('remote-2');
    desk.services[api].agreements.set(other, remoteOf({ id: other }));
    expect(await desk.api['agreements.find']({ id: other })).toEqual([]);
  },
);

const titlesOf = async (desk: ReturnType<typeof startMemoryDesk>) =>
  (await desk.api['agreements.list']({})).items.map(({ title }) => title).toSorted();

it.each(['v1', 'v2'] as const)(
  'an agreement that a command sent over %s is in the list without a sync (FE-D10)',
  async (api) => {
    const desk = startMemoryDesk();
    const { id: connectionId } = await addConnection(desk, api);
    const { id: draft } = await (api === 'v1' ? addDraftV1(desk) : addDraftV2(desk));
    await desk.api['drafts.send']({ id: draft, connectionId, holdSeconds: 0, confirm: 1 });
    const id = AgreementId.parse('remote-1');
    desk.services[api].agreements.set(id, remoteOf({ id, title: 'Just sent' }));
    await desk.api['outbox.run']({});
    expect(await titlesOf(desk)).toEqual(['Just sent']);
    // No complete list was requested.
    expect(desk.services[api].since).toEqual([]);
  },
);

it('many agreements that a command sent are read as one list after the last send (FE-D10)', async () => {
  const desk = startMemoryDesk();
  const { v1 } = desk.services;
  const { id: connectionId } = await addConnection(desk, 'v1');
  const { jobId } = await desk.api['agreements.sync']({ full: false });
  await desk.finish(jobId);
  v1.since.length = 0;
  const titles = ['Lease 1', 'Lease 2', 'Lease 3'];
  for (const title of titles) {
    const { id } = await addDraftV1(desk, title);
    await desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
  }
  const sentAt = desk.clock.now();
  v1.pages = [
    pageOf(titles.map((title, at) => remoteOf({ id: `remote-${at + 1}`, title, sentAt }))),
  ];
  const sentBefore: number[] = [];
  v1.beforePage = () => void sentBefore.push(v1.created.length);
  await desk.api['outbox.run']({});
  expect(await titlesOf(desk)).toEqual(titles);
  // Only changes were requested, not the complete list.
  expect(v1.since).toEqual([expect.any(Number)]);
  expect(sentBefore).toEqual([titles.length]);
});

it('a send succeeds although the service cannot be read afterwards (FE-D10)', async () => {
  const desk = startMemoryDesk();
  const { id: connectionId } = await addConnection(desk, 'v1');
  const { id } = await addDraftV1(desk);
  desk.services.v1.agreements.set('remote-1', new AppError('offline', 'Not now'));
  const order = { id, connectionId, holdSeconds: 0, confirm: 1 };
  const { ref } = await desk.api['drafts.send'](order);
  await desk.api['outbox.run']({});
  expect(await desk.api['outbox.show']({ ref })).toMatchObject({ state: 'sent', reason: null });
});
