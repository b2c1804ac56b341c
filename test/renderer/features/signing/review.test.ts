import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defaultSettings } from '../../../../shared/contract/settings.ts';
import { Identity, OpenedReview, SigningItem } from '../../../../shared/contract/signing.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';

/** The queue as the core returns it. */
const core = vi.hoisted(() => {
  const queue: SigningItem[] = [];
  const marked: unknown[] = [];
  return { queue, marked };
});

vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: {
    'signing.markReviewed': async (order: unknown) => {
      core.marked.push(order);
      return { number: 1 };
    },
    'signing.list': async () => core.queue,
  },
  failureOf: (error: unknown) => error,
  on: () => () => undefined,
}));

const { addressOf, reviewing } =
  await import('../../../../renderer/features/signing/review.svelte.ts');
const { keyOf } = await import('../../../../renderer/features/signing/state.svelte.ts');
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

/** Opens documents of these types, as if they were fetched. */
function openDocuments(...mimeTypes: string[]) {
  const documents = mimeTypes.map((mimeType, index) => ({
    id: `${index}`,
    name: `file-${index}`,
    title: null,
    category: 'agreement',
    mimeType,
    bytes: 1,
    sha256: '',
    bytesId: ID.replace('0b', `0${index}`),
  }));
  reviewing.opened = OpenedReview.parse({ reviewId: ID, documents });
  reviewing.show(0);
  return reviewing.opened.documents;
}

it('a document counts as seen only after one of its pages was drawn', () => {
  const documents = openDocuments('application/pdf', 'application/pdf');
  reviewing.step(1);
  expect(reviewing.hasUnseen).toBe(true);
  for (const document of documents) reviewing.record(addressOf(document), 'drawn');
  expect(reviewing.hasUnseen).toBe(false);
});

it('a document that cannot be shown counts as seen only after the user stated to have read it', () => {
  const [broken, other] = openDocuments('application/pdf', 'application/msword');
  if (broken === undefined || other === undefined) throw new Error('There are two documents');
  reviewing.record(addressOf(broken), 'drawn');
  reviewing.record(addressOf(broken), 'failed');
  for (const document of [broken, other]) {
    expect(reviewing.hasUnseen).toBe(true);
    reviewing.state(document, true);
  }
  expect(reviewing.hasUnseen).toBe(false);
  reviewing.state(other, false);
  expect(reviewing.hasUnseen).toBe(true);
});

it('a review names the documents that could not be shown and that the user read elsewhere', async () => {
  const [shown, broken, word] = openDocuments('application/pdf', 'application/pdf', 'text/plain');
  if (shown === undefined || broken === undefined || word === undefined) throw new Error('none');
  reviewing.of = keyOf(item);
  reviewing.record(addressOf(shown), 'drawn');
  reviewing.record(addressOf(broken), 'failed');
  for (const document of [shown, broken, word]) reviewing.state(document, true);
  core.queue.splice(0, core.queue.length, reviewed);
  await reviewing.mark(item, karin);
  expect(core.marked.at(-1)).toMatchObject({ reviewId: ID, elsewhere: [broken.id, word.id] });
});
