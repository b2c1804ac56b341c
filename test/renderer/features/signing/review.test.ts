import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaultSettings } from '../../../../shared/contract/settings.ts';
import { Identity, SigningItem } from '../../../../shared/contract/signing.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';

/** The queue as the core returns it. */
const core = vi.hoisted(() => {
  const queue: SigningItem[] = [];
  return { queue };
});

vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: {
    'signing.markReviewed': async () => ({ number: 1 }),
    'signing.list': async () => core.queue,
  },
  failureOf: (error: unknown) => error,
  on: () => () => undefined,
}));

const { reviewing } = await import('../../../../renderer/features/signing/review.svelte.ts');
const { settings } = await import('../../../../renderer/window/settings.svelte.ts');
const { activity } = await import('../../../../renderer/window/activity.svelte.ts');

const ID = '0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02';
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
const note = { number: 1, at: 1, person: 'Karin Lindqvist', personId: ID, seat: null };
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
const reviewed = SigningItem.parse({ ...item, review: { ...note, how: 'here', isCurrent: true } });
const approved = SigningItem.parse({ ...reviewed, approval: note });

// The activity bar hides messages after some seconds.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  activity.close();
  settings.stored.value = null;
  vi.useRealTimers();
});

/** The message after an agreement was reviewed, which the queue then shows as `after`. */
async function messageAfterReview(after: SigningItem, fourEyes: boolean) {
  settings.stored.value = { ...defaultSettings, fourEyes };
  core.queue.splice(0, core.queue.length, after);
  await reviewing.mark(item, karin);
  return activity.notice?.words();
}

it('a review that a second person has to approve is followed by a message about it', async () => {
  const waits = m.signing_review_waits({ title: 'Hyresavtal' });
  expect(await messageAfterReview(reviewed, true)).toBe(waits);
});

it('a review that needs no approval is followed by no message', async () => {
  expect(await messageAfterReview(reviewed, false)).toBeUndefined();
  expect(await messageAfterReview(approved, true)).toBeUndefined();
});
