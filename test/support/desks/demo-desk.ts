import {
  createOpenActions,
  createOpenService,
} from '../../../electron/adapters/rest/open-service.ts';
import { systemChance, systemClock } from '../../../electron/adapters/system/platform.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { Draft } from '../../../shared/contract/drafts.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import {
  bodyV2,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../fakes/memory-desk.ts';

export interface DemoDesk {
  readonly demo: Demo;
  readonly desk: MemoryDesk;
  readonly connectionId: ConnectionId;
}

/** State that survives a process whose requests go to the real demo service. */
export function createDemoWorld(): World {
  const world = createWorld();
  // Requests take real time; only the program's own waits are moved by the test.
  const ports = { clock: systemClock, chance: systemChance, log: world.log };
  return {
    ...world,
    opened: { ...world.opened, open: createOpenService(ports) },
    actions: { ...world.actions, open: createOpenActions(ports) },
  };
}

/** Starts the program on the same data, after the system released the lock of a killed process. */
export function restart(world: World): MemoryDesk {
  const { locks, archiveLocks } = createWorld();
  return startMemoryDesk({ ...world, locks, archiveLocks });
}

/** Starts the program on the data of `world`, with a connection to its own empty service. */
export async function startWithV2(world: World): Promise<DemoDesk> {
  const { now } = world.clock;
  const demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null, now });
  const desk = startMemoryDesk(world);
  return { demo, desk, connectionId: await connectV2(desk, demo) };
}

export async function connectV1({ api }: MemoryDesk, demo: Demo): Promise<ConnectionId> {
  const { id } = await api['connections.add']({
    name: 'Service',
    api: 'v1',
    url: demo.v1Url,
    environment: 'test',
    accountId: null,
    orgNo: null,
    secret: demo.credentials.token,
  });
  return id;
}

export async function connectV2({ api }: MemoryDesk, demo: Demo): Promise<ConnectionId> {
  const { accessKey, accountId } = demo.credentials;
  const { id } = await api['connections.add']({
    name: 'Service',
    api: 'v2',
    url: demo.v2Url,
    environment: 'test',
    accountId,
    orgNo: null,
    secret: accessKey,
  });
  return id;
}

/** A PDF of exactly this size; each mark results in a different file. */
export function pdfOf(bytes: number, mark = 'A'): Uint8Array {
  const [head, tail] = ['%PDF-1.7\n%', '\n%%EOF\n'];
  return new TextEncoder().encode(
    `${head}${mark.repeat(bytes - head.length - tail.length)}${tail}`,
  );
}

/** A v2 draft with files of these sizes, by name. */
export async function addFilesDraft(
  desk: MemoryDesk,
  files: Readonly<Record<string, number>>,
  name = 'Lease',
): Promise<Draft> {
  const { text: _, ...about } = bodyV2(name);
  const content = { api: 'v2', body: { ...about, type: 'ATTACHED' } } as const;
  const { id } = await desk.api['drafts.create']({ content, connectionId: null });
  const attachments: { file: Draft['files'][number]['id'] }[] = [];
  for (const [index, [called, size]] of Object.entries(files).entries()) {
    const bytes = desk.bytes.put(pdfOf(size, String(index)));
    const { id: file } = await desk.api['drafts.attach']({ id, name: called, bytes });
    attachments.push({ file });
  }
  const { revision } = await desk.api['drafts.show']({ id });
  const change = { id, revision, connectionId: null } as const;
  const body = { ...content.body, attachments };
  return desk.api['drafts.save']({ ...change, content: { api: 'v2', body } });
}

/** Adds a draft to the outbox for immediate sending; `again` allows repeats. */
export async function sendDraft(
  { api }: MemoryDesk,
  { id }: Draft,
  connectionId: ConnectionId,
  again: readonly OutboxRef[] = [],
): Promise<OutboxRef> {
  const order = { id, connectionId, holdSeconds: 0, confirm: 1, again: [...again] };
  return (await api['drafts.send'](order)).ref;
}
