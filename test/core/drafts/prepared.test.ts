import { beforeEach, describe, expect, it } from 'vitest';
import type { Draft } from '../../../shared/contract/drafts.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
});

const send = ({ id }: Draft) =>
  desk.api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });

async function destroy({ id }: Draft): Promise<void> {
  await desk.api['drafts.delete']({ id });
  await desk.api['drafts.destroy']({ id });
}

const onlyFile = ({ files: [file] }: Draft) => {
  if (file === undefined) throw new Error('It has no file');
  return file;
};

describe('a draft that was prepared for sending before', () => {
  it('is sent with its current content when the office shared it again after it was destroyed', async () => {
    const { drafts } = world.stores;
    const made = await addDraftV1(desk);
    const { data } = drafts.fileData(made.id, onlyFile(made).id);
    const receive = (title: string) => {
      const { content } = made;
      if (content.api !== 'v1') throw new Error('It is of the other API');
      const received = { ...made, content: { ...content, body: { ...content.body, title } } };
      expect(drafts.receive(received, () => data, world.clock.now())).toBe(true);
    };
    await destroy(made);
    receive('Old rent');
    await desk.api['drafts.check']({ id: made.id, connectionId });
    await destroy(made);
    receive('New rent');
    const { ref } = await send(made);
    expect(await desk.api['outbox.show']({ ref })).toMatchObject({ title: 'New rent' });
  });

  it('is not sent when its file was replaced after the preparation', async () => {
    const draft = await addDraftV1(desk);
    const sending = send(draft);
    const { id } = draft;
    const bytes = desk.bytes.put(new TextEncoder().encode('%PDF-1.7 other %%EOF'));
    await desk.api['drafts.attach']({ id, name: 'other.pdf', bytes });
    await desk.api['drafts.detach']({ id, file: onlyFile(draft).id });
    await expect(sending).rejects.toMatchObject({ failure: { code: 'conflict' } });
  });
});

describe('two sends at the same moment', () => {
  it('of drafts with the same content need a decision for the second', async () => {
    const [one, other] = [await addDraftV1(desk), await addDraftV1(desk)];
    const [first, second] = await Promise.allSettled([send(one), send(other)]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ reason: { failure: { reason: 'sent-before' } } });
    await desk.api['outbox.run']({});
    expect(world.services.v1.created).toHaveLength(1);
  });

  it('of one draft send the draft once', async () => {
    const draft = await addDraftV1(desk);
    const [first, second] = await Promise.allSettled([send(draft), send(draft)]);
    expect(first.status).toBe('fulfilled');
    expect(second.status).toBe('rejected');
    await desk.api['outbox.run']({});
    expect(world.services.v1.created).toHaveLength(1);
  });
});
