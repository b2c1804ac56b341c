import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actionReach } from '../../../electron/core/services/reach.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { ActionsResult } from '../../../shared/contract/actions.ts';
import { type Draft, DraftContent } from '../../../shared/contract/drafts.ts';
import {
  type AgreementKey,
  AgreementId,
  type ConnectionId,
  type JobId,
} from '../../../shared/model/ids.ts';
import { valueKindsV1, valueKindsV2 } from '../../../shared/rules/reach/places.ts';
import { createDemoWorld, connectV2, sendDraft } from '../../support/desks/demo-desk.ts';
import {
  addDraftV1,
  addDraftV2,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';

/** Allowed recipients: the parties of the drafts. */
const OURS = ['@example.com'];
const MAIL = 'stranger@else.test';
const NUMBER = '+46709999999';
const URL_ELSEWHERE = 'https://hook.else.test/x';

let demo: Demo;
let desk: MemoryDesk;
let ids: Record<'v1' | 'v2', ConnectionId>;
/** Hook that runs before a request is sent. */
let meanwhile: () => Promise<void>;

beforeEach(async () => {
  const { scheduler, ...others } = createDemoWorld();
  meanwhile = () => Promise.resolve();
  const world = { ...others, scheduler: { ...scheduler, yield: () => meanwhile() } };
  const { now } = world.clock;
  demo = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null, now });
  desk = startMemoryDesk(world);
  const v1 = await desk.api['connections.add']({
    name: 'Pro',
    api: 'v1',
    url: demo.v1Url,
    environment: 'test',
    accountId: null,
    secret: demo.credentials.token,
  });
  ids = { v1: v1.id, v2: await connectV2(desk, demo) };
});

afterEach(() => demo.close());

const limit = async (allowed: string[] | null): Promise<void> => {
  for (const id of [ids.v1, ids.v2]) await desk.api['connections.allow']({ id, allowed });
};

/** Requests that changed the service; API v1 revokes with GET. */
const changes = (): string[] =>
  demo.requests
    .filter(({ method, url }) => method !== 'GET' || url.endsWith('/revoke'))
    .map(({ method, url }) => `${method} ${url}`);

interface Planted {
  readonly value: string;
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** Sets a value at a path such as `parties[].email`, in the first item of each list. */
function plant(body: unknown, place: string, { value, beside = {} }: Planted): unknown {
  const [head = '', ...rest] = place.split('.');
  const key = head.replace('[]', '');
  const inside = typeof body === 'object' && body !== null ? { ...body } : {};
  const before: unknown = Reflect.get(inside, key);
  const isList = head.endsWith('[]');
  const first: unknown = isList && Array.isArray(before) ? before[0] : before;
  const planted = rest.length === 0 ? value : plant(first, rest.join('.'), { value, beside });
  const others = isList && Array.isArray(before) ? before.slice(1) : [];
  return {
    ...inside,
    ...(rest.length === 0 ? beside : {}),
    [key]: isList ? [planted, ...others] : planted,
  };
}

/** Further fields required with a planted value. */
const required: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'notifications[]': { type: 'SIGNED' },
  'parties[].notifications[]': { type: 'SIGNED' },
  'notificationMessages[]': { type: 'posted' },
  'reminders[]': { date: '2099-01-01' },
};

function completed(body: unknown, place: string): unknown {
  for (const [parent, fields] of Object.entries(required)) {
    if (!place.startsWith(`${parent}.`)) continue;
    let whole = body;
    for (const [key, value] of Object.entries(fields)) {
      whole = plant(whole, `${parent}.${key}`, { value: String(value) });
    }
    return whole;
  }
  return body;
}

const byMedium: readonly Planted[] = [
  { value: MAIL, beside: { medium: 'EMAIL' } },
  { value: NUMBER, beside: { medium: 'SMS' } },
  { value: URL_ELSEWHERE, beside: { medium: 'WEBHOOK' } },
];

function plantsOf(place: string, by: string): readonly Planted[] {
  switch (by) {
    case 'medium':
      return byMedium;
    case 'code':
      return [{ value: NUMBER, beside: { type: 'SMS_OTP' } }];
    case 'host':
      return [{ value: URL_ELSEWHERE, beside: { events: ['POSTED'] } }];
    default:
      return [{ value: place.endsWith('mobile') ? NUMBER : MAIL }];
  }
}

const cases = (['v1', 'v2'] as const).flatMap((api) =>
  Object.entries(api === 'v1' ? valueKindsV1 : valueKindsV2)
    .filter(([, by]) => by !== 'nobody')
    .flatMap(([place, by]) => plantsOf(place, by).map((planted) => ({ api, place, planted }))),
);

async function changed(draft: Draft, place: string, planted: Planted): Promise<Draft> {
  const body = completed(plant(draft.content.body, place, planted), place);
  const content = DraftContent.parse({ api: draft.content.api, body });
  const { id, revision } = await desk.api['drafts.show']({ id: draft.id });
  return desk.api['drafts.save']({ id, revision, connectionId: null, content });
}

const draftOf = (api: 'v1' | 'v2'): Promise<Draft> =>
  api === 'v1' ? addDraftV1(desk) : addDraftV2(desk);

describe('a connection limited to certain recipients', () => {
  it.each(cases)(
    'sends nothing when $place of API $api names a disallowed recipient: $planted.value (FE-N3)',
    async ({ api, place, planted }) => {
      const draft = await changed(await draftOf(api), place, planted);
      await limit(OURS);
      const connectionId = ids[api];
      const field = place.replaceAll('[]', '.0');
      const { errors } = await desk.api['drafts.check']({ id: draft.id, connectionId });
      expect(errors).toContainEqual(expect.objectContaining({ field, code: 'stranger' }));
      await expect(sendDraft(desk, draft, connectionId)).rejects.toMatchObject({
        failure: { reason: 'problems-left' },
      });
      await desk.api['outbox.run']({});
      expect(changes()).toEqual([]);
    },
  );

  it.each(['v1', 'v2'] as const)(
    'rejects waiting outbox rows when its list of recipients becomes narrower, API %s (FE-N3)',
    async (api) => {
      const ref = await sendDraft(desk, await draftOf(api), ids[api]);
      await limit(['@ours.test']);
      await desk.api['outbox.run']({});
      const item = await desk.api['outbox.show']({ ref });
      expect(item).toMatchObject({ state: 'rejected', reason: { reason: 'stranger' } });
      expect(changes()).toEqual([]);
    },
  );

  it('calls a webhook only on an allowed host or on the same computer (FE-N3)', async () => {
    const plantUrl = (url: string) => ({ value: url, beside: { events: ['POSTED'] } });
    await limit([...OURS, 'https://hooks.example.com/x']);
    const codesOf = async (url: string) => {
      const draft = await changed(await draftOf('v2'), 'webhook.url', plantUrl(url));
      const { errors } = await desk.api['drafts.check']({ id: draft.id, connectionId: ids.v2 });
      return errors.filter(({ code }) => code === 'stranger').length;
    };
    expect(await codesOf('https://hooks.example.com:8443/x')).toBe(0);
    expect(await codesOf('http://127.0.0.1:9000/x')).toBe(0);
    expect(await codesOf('https://hooks.example.com.else.test/')).toBe(1);
    expect(await codesOf('https://hooks.example.com@else.test/')).toBe(1);
    expect(await codesOf('https://hooks.example.com\\@else.test/')).toBe(1);
  });
});

/** An agreement with recipients that are no longer allowed. */
async function sentTo(api: 'v1' | 'v2'): Promise<AgreementKey> {
  const ref = await sendDraft(desk, await draftOf(api), ids[api]);
  await desk.api['outbox.run']({});
  const item = await desk.api['outbox.show']({ ref });
  await limit(['@ours.test']);
  return { connectionId: ids[api], id: AgreementId.parse(item.remoteId) };
}

const failureOf = async ({ jobId }: { readonly jobId: JobId }): Promise<unknown> =>
  ActionsResult.parse((await desk.finish(jobId)).result).failed[0]?.failure;

const caught = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (error: unknown) => Reflect.get(Object(error), 'failure'),
  );

const personOf = async (key: AgreementKey) => {
  const { parties } = await desk.api['actions.extras']({ key });
  const [party] = parties;
  return { key, partyId: party?.id ?? '', notificationId: party?.notifications?.[0]?.id ?? 'n' };
};

/** One attempt of each action that notifies someone. */
const tries: Record<string, (key: AgreementKey) => Promise<unknown>> = {
  'v1 revoke': async (key) =>
    failureOf(await desk.api['actions.revoke']({ keys: [key], confirm: 1 })),
  'v1 change': (key) =>
    caught(desk.api['actions.change']({ key, expiresAt: Date.parse('2026-12-30T12:00:00Z') })),
  'v1 remind': async (key) =>
    failureOf(await desk.api['actions.remind']({ targets: [key], confirm: 1 })),
  'v1 correct-email': async (key) => {
    const { partyId } = await personOf(key);
    const asked = { key, partyId, address: MAIL, notify: true };
    return caught(desk.api['actions.correctEmail'](asked));
  },
  'v1 replace-recipients': async (key) => {
    const recipients = [{ medium: 'EMAIL' as const, address: MAIL }];
    const asked = { ...(await personOf(key)), recipients, nobody: false };
    return caught(desk.api['actions.replaceRecipients'](asked));
  },
  'v2 share': (key) => {
    const receiver = { type: 'PERSON', personNo: '189001019802' } as const;
    const sharing = { with: receiver, email: MAIL, message: null, until: null };
    return caught(desk.api['actions.share']({ key, sharing, confirm: 1 }));
  },
  'v2 reject': (key) => {
    const rejection = { partyType: 'PRIVATE', personNo: '189001019802' } as const;
    return caught(desk.api['actions.reject']({ key, rejection, confirm: 1 }));
  },
};

const reaching = Object.entries(actionReach).flatMap(([kind, by]) =>
  (['v1', 'v2'] as const).filter((api) => by[api] !== 'nobody').map((api) => `${api} ${kind}`),
);

describe('an action through a connection limited to certain recipients', () => {
  it.each(reaching)('never reaches a disallowed recipient: %s (FE-N3)', async (name) => {
    const key = await sentTo(name.startsWith('v1') ? 'v1' : 'v2');
    const before = changes();
    expect(await tries[name]?.(key)).toMatchObject({ reason: 'stranger' });
    expect(changes()).toEqual(before);
  });
});

describe('a waiting send', () => {
  it('is not sent to recipients that its connection no longer allows (FE-N3)', async () => {
    const draft = await addDraftV1(desk);
    const ref = await sendDraft(desk, draft, ids.v1);
    meanwhile = () => limit(['@ok.test']);
    await desk.api['outbox.run']({});
    const { reason, state } = await desk.api['outbox.show']({ ref });
    expect(changes()).toEqual([]);
    expect({ state, reason }).toMatchObject({ state: 'rejected', reason: { reason: 'stranger' } });
  });
});
