import { expect, it } from 'vitest';
import { AgreementId } from '../../shared/contract/ids.ts';
import { remoteOf } from '../support/fake-service.ts';
import { addConnection, addDraftV1, addDraftV2, startMemoryDesk } from '../support/memory-desk.ts';

it.each(['v1', 'v2'] as const)(
  'what was just sent over %s is known by its id before any sync (FE-D10)',
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
    // Of what was not sent from here only a sync tells.
    const other = AgreementId.parse('remote-2');
    desk.services[api].agreements.set(other, remoteOf({ id: other }));
    expect(await desk.api['agreements.find']({ id: other })).toEqual([]);
  },
);
