import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  ArchiveResult,
  ArchiveVerification,
  BagResult,
} from '../../../../shared/contract/archive.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';

type End = Pick<Job, 'state' | 'failure'> & {
  readonly result: ArchiveResult | ArchiveVerification | BagResult | null;
};
const stopped: End = { state: 'cancelled', failure: null, result: null };

/** The end of the next job, as the core returns it, and the screen of the window. */
const now = vi.hoisted((): { end: unknown; screen: string } => ({ end: null, screen: 'archive' }));
vi.mock('../../../../renderer/window/desk.ts', () => {
  const start = async () => ({ jobId: 'job' });
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    'archive.run': start,
    'archive.verify': start,
    'archive.bag': start,
    'jobs.show': async () => now.end,
    'host.describe': async () => ({ documentsFolder: '/signed' }),
    'archive.list': async () => ({
      items: [],
      counts: { notArchived: 1, archived: 0, changed: 0, missing: 0 },
    }),
  };
  return {
    api: new Proxy({}, { get: (_, name) => calls[String(name)] ?? (async () => []) }),
    on: () => () => undefined,
    failureOf: (error: unknown) => ({ code: 'unexpected', message: String(error) }),
  };
});
// The router is replaced, because there is no address without a window.
vi.mock('../../../../renderer/window/router.svelte.ts', () => ({
  router: {
    get screen() {
      return now.screen;
    },
  },
  go: () => undefined,
}));

const { activity } = await import('../../../../renderer/window/activity.svelte.ts');
const { archive } = await import('../../../../renderer/features/archive/state.svelte.ts');
const { host } = await import('../../../../renderer/window/host.svelte.ts');
const { m } = await import('../../../../renderer/ui/language.svelte.ts');
const words = await import('../../../../renderer/features/archive/words.ts');

const run: ArchiveResult = {
  listed: 1,
  saved: 1,
  present: 0,
  waiting: 0,
  unsealed: 0,
  failed: [],
  doubtful: [],
  bytes: 1000,
  seconds: 1,
  folder: '/signed',
};
const verified: ArchiveVerification = {
  folder: '/signed',
  files: 2,
  ok: 1,
  changed: ['lease.pdf'],
  missing: [],
  unknown: [],
  lists: [],
  agreements: { listed: 2, saved: 2, notSaved: [] },
  at: 0,
};
const bag: BagResult = { folder: '/bag', files: 2, bytes: 1000, leftOut: [] };
const ended = (result: End['result']): End => ({ state: 'done', failure: null, result });

beforeEach(async () => {
  vi.useFakeTimers();
  activity.past = [];
  activity.close();
  activity.announced = null;
  now.screen = 'archive';
  await Promise.all([host.refresh(), archive.list.refresh()]);
});
afterEach(() => {
  activity.close();
  vi.useRealTimers();
});

describe.each([
  ['a run of the archive', run, words.runText(run), () => archive.runAll()],
  ['a verification', verified, words.verdictText(verified), () => archive.verify()],
  ['a bag', bag, words.bagText(bag), () => archive.makeBag('/bag')],
] as const)('the end of %s', (_, result, text, work) => {
  it('is read out and listed once on the archive’s screen, and not shown in the bar', async () => {
    now.end = ended(result);
    await work();
    expect(activity.announced?.words()).toBe(text);
    expect(activity.notice).toBeNull();
    expect(activity.past.map((one) => one.words())).toEqual([text]);
  });

  it('is shown in the bar and listed once on another screen', async () => {
    now.screen = 'drafts';
    now.end = ended(result);
    await work();
    expect(activity.announced).toBeNull();
    expect(activity.notice?.words()).toBe(text);
    expect(activity.past.map((one) => one.words())).toEqual([text]);
  });

  it('is announced too if the user stopped it before it had a result', async () => {
    now.end = stopped;
    await work();
    expect(activity.past.map((one) => one.words())).toEqual([m.marked_stopped()]);
  });
});

it('a result is read out for some seconds, and again after the work is repeated', async () => {
  now.end = ended(run);
  await archive.runAll();
  const first = activity.announced;
  await archive.runAll();
  expect(activity.announced).not.toBe(first);
  vi.advanceTimersByTime(60_000);
  expect(activity.announced).toBeNull();
});

describe('a warning about the archive', () => {
  const fail = async () => {
    now.end = { state: 'failed', failure: { code: 'storage', message: 'Full' }, result: null };
    await archive.runAll();
  };

  it('disappears when the same work succeeds', async () => {
    await fail();
    expect(activity.notice).not.toBeNull();
    now.end = ended(run);
    await archive.runAll();
    expect(activity.notice).toBeNull();
  });

  it('stays when other work of the archive succeeds', async () => {
    await fail();
    const warning = activity.notice;
    now.end = ended(bag);
    await archive.makeBag('/bag');
    expect(activity.notice).toBe(warning);
  });
});
