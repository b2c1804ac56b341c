import { beforeEach, describe, expect, it } from 'vitest';
import { encodeCreateV1 } from '../../../electron/adapters/rest/v1/write.ts';
import { encodeCreateV2 } from '../../../electron/adapters/rest/v2/write.ts';
import type { Draft } from '../../../shared/contract/drafts.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import {
  addConnection,
  addDraftV1,
  addDraftV2,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';

let world: World;
let desk: MemoryDesk;

beforeEach(() => {
  world = createWorld();
  // The real encoding of requests, since refused fields are compared with the sent values.
  world.services.v1.encodeCreate = (content, files, ref) => {
    if (content.api !== 'v1') throw new Error('It is of the other API');
    return encodeCreateV1(content.body, files, ref);
  };
  world.services.v2.encodeCreate = (content, files) => {
    if (content.api !== 'v2') throw new Error('It is of the other API');
    return encodeCreateV2(content.body, files);
  };
  desk = startMemoryDesk(world);
});

/** Sends a draft that the service refuses for these fields, and returns it to drafts. */
async function refuse(
  draft: Draft,
  connectionId: ConnectionId,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const failure = { code: 'invalid' as const, message: 'HTTP 422', fields };
  world.services[draft.content.api].answers.push({ kind: 'refused', failure });
  const order = { id: draft.id, connectionId, holdSeconds: 0, confirm: 1 };
  const { ref } = await desk.api['drafts.send'](order);
  await desk.api['outbox.run']({});
  expect((await desk.api['outbox.show']({ ref })).state).toBe('rejected');
  await desk.api['outbox.undo']({ ref });
}

/** The marked fields by their names in the draft, with their messages. */
async function marked({ id }: Draft): Promise<Record<string, string>> {
  const { warnings } = await desk.api['drafts.check']({ id });
  const found = warnings.filter(({ code }) => code === 'refused');
  return Object.fromEntries(found.map(({ field, message }) => [field, message]));
}

describe('a draft that the service refused', () => {
  it('marks the named fields until each has a new value (SC-10)', async () => {
    const connectionId = (await addConnection(desk)).id;
    const draft = await addDraftV1(desk);
    expect(await marked(draft)).toEqual({});
    await refuse(draft, connectionId, {
      'parties.0.email': 'No such mailbox',
      'agreement.title': 'Too plain',
      'attachments.0.data': 'No such document',
      'agreement.secretRule': 'Not of the draft',
    });
    expect(await marked(draft)).toEqual({
      'parties.0.email': 'No such mailbox',
      title: 'Too plain',
      'attachments.0.file': 'No such document',
    });
    const { id, content, revision } = await desk.api['drafts.show']({ id: draft.id });
    if (content.api !== 'v1') throw new Error('It is of the other API');
    const parties = content.body.parties.map((party) => ({ ...party, email: 'new@example.com' }));
    const mended = { api: 'v1' as const, body: { ...content.body, parties } };
    await desk.api['drafts.save']({ id, revision, connectionId, content: mended });
    expect(Object.keys(await marked(draft))).toEqual(['title', 'attachments.0.file']);
  });

  it('is marked under the field names of API v2, also without the list of parties (SC-10)', async () => {
    const connectionId = (await addConnection(desk, 'v2')).id;
    const draft = await addDraftV2(desk);
    await refuse(draft, connectionId, { 'privates.0.email': 'Unknown', name: 'Taken' });
    expect(await marked(draft)).toEqual({ 'parties.privates.0.email': 'Unknown', name: 'Taken' });
  });

  it('loses the marks of its first refusal when it is sent again and refused for another field (SC-10)', async () => {
    const connectionId = (await addConnection(desk)).id;
    const draft = await addDraftV1(desk);
    await refuse(draft, connectionId, { title: 'Too plain' });
    world.clock.advance(1000);
    await refuse(draft, connectionId, { 'parties.0.firstName': 'Not a name' });
    expect(await marked(draft)).toEqual({ 'parties.0.firstName': 'Not a name' });
  });
});
