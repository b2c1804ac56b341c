import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { OfficeHandover } from '../../../shared/contract/office/handovers.ts';
import { Identity, SignResult, SigningItem } from '../../../shared/contract/signing.ts';
import { TemplateId } from '../../../shared/model/ids.ts';

/** Whether the core refuses the next calls, and the answers of calls that need one. */
const core = vi.hoisted((): { refuses: boolean; answers: Record<string, unknown> } => ({
  refuses: true,
  answers: {},
}));
vi.mock('../../../renderer/window/desk.ts', () => ({
  api: new Proxy(
    {},
    {
      get: (_, name) => async () => {
        if (core.refuses) throw new AppError('storage', 'The disk is full');
        return core.answers[String(name)] ?? [];
      },
    },
  ),
  on: () => () => undefined,
  failureOf: (error: AppError): Failure => error.failure,
}));
// The router is replaced, because there is no address without a window.
vi.mock('../../../renderer/window/router.svelte.ts', () => ({
  router: { screen: 'signing', parts: [] },
  go: () => undefined,
}));

const { activity } = await import('../../../renderer/window/activity.svelte.ts');
const { templates } = await import('../../../renderer/features/templates/state.svelte.ts');
const { approvals } = await import('../../../renderer/features/signing/approvals.svelte.ts');
const { reviewing } = await import('../../../renderer/features/signing/review.svelte.ts');
const { signing } = await import('../../../renderer/features/signing/state.svelte.ts');
const { handovers } = await import('../../../renderer/features/office/handovers.svelte.ts');
const { sharing } = await import('../../../renderer/features/office/sharing.svelte.ts');
const { office } = await import('../../../renderer/features/office/state.svelte.ts');
const { settings } = await import('../../../renderer/window/settings.svelte.ts');

const ID = '0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02';
const item = SigningItem.parse({
  connectionId: ID,
  id: 'lease',
  partyId: 'us',
  partyName: 'Kontoret',
  others: [],
  title: 'Hyresavtal',
  since: null,
  expiresAt: null,
  state: 'ready',
  readable: true,
  review: null,
  approval: null,
  allowed: null,
});
const karin = Identity.parse({
  id: ID,
  name: 'Karin',
  firstName: 'Karin',
  lastName: 'Lindqvist',
  role: null,
  company: null,
  personNumberMasked: null,
  country: null,
  orgNo: null,
  email: null,
  mobile: null,
});
const lease = { id: TemplateId.parse(ID), name: 'Hyresavtal' };
const handover: OfficeHandover = {
  id: ID,
  kind: 'draft',
  title: 'Hyresavtal',
  note: '',
  from: 'Bo',
  to: 'Karin',
  givenAt: 0,
  isOwn: false,
};
const restore = { id: ID, noticedAt: 0, asOf: 0, awaited: [] };

beforeEach(() => {
  vi.useFakeTimers();
  core.refuses = true;
  core.answers = {};
  activity.close();
  activity.past = [];
});
// The activity bar hides messages after some seconds.
afterEach(() => {
  activity.close();
  vi.useRealTimers();
});

it.each<readonly [string, () => Promise<unknown>]>([
  ['removing a template', () => templates.remove(lease)],
  ['restoring a template', () => templates.restore(lease)],
  ['removing a signing person', () => signing.removeIdentity(karin.id)],
  ['approving an agreement', () => reviewing.approve(item, karin)],
  ['asking the office for an approval', () => approvals.ask(item)],
  ['taking over an item', () => handovers.take(handover)],
  ['sharing with the office', () => sharing.exchange()],
  ['leaving the office', () => office.leave()],
  ['not waiting for a computer', () => office.excuse(restore)],
  ['storing a setting', () => settings.write({ theme: 'dark' })],
])('a warning that %s failed disappears when the same work succeeds', async (_, work) => {
  await work();
  const warning = activity.notice;
  expect(warning?.stays).toBe(true);
  core.refuses = false;
  await work();
  expect(activity.past).toContainEqual(expect.objectContaining({ words: warning?.words }));
  expect(activity.notice?.words).not.toBe(warning?.words);
});

it('a warning that some agreements were not signed stays until a signature succeeds', async () => {
  core.refuses = false;
  const signed = (failed: number): SignResult =>
    SignResult.parse({
      signed: [],
      failed: Array.from({ length: failed }, () => ({
        connectionId: ID,
        id: 'lease',
        title: 'Hyresavtal',
        failure: { code: 'storage', message: 'Not now' },
      })),
      unknown: [],
    });
  const sign = async (failed: number) => {
    core.answers = {
      'signing.sign': { jobId: 'job' },
      'jobs.show': { state: 'done', result: signed(failed), failure: null },
    };
    await signing.sign([item], karin, false);
    return activity.notice?.stays;
  };
  expect(await sign(1)).toBe(true);
  await reviewing.approve(item, karin);
  expect(activity.notice?.stays).toBe(true);
  expect(await sign(0)).toBe(false);
});
