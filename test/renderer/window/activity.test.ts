import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { activity } from '../../../renderer/window/activity.svelte.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

// The connection to the core is replaced, because there is no core without a window.
vi.mock('../../../renderer/window/desk.ts', () => ({
  failureOf: (error: AppError) => error.failure,
}));

const LONG = MINUTE;
const shown = (): string | undefined => activity.notice?.words();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  activity.hold(false);
  activity.close();
  vi.useRealTimers();
});

describe('a message', () => {
  it('is shown for some seconds, and disappears automatically (SC-06)', () => {
    activity.notify(() => 'Copied');
    vi.advanceTimersByTime(5000);
    expect(shown()).toBe('Copied');
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBeUndefined();
  });

  it('is shown for its full time if it follows another message', () => {
    activity.notify(() => 'Copied');
    vi.advanceTimersByTime(9000);
    activity.notify(() => 'Saved');
    vi.advanceTimersByTime(9000);
    expect(shown()).toBe('Saved');
  });

  it('stays while the pointer or the focus is on it', () => {
    activity.notify(() => 'Sent', { label: () => 'Show', run: () => undefined });
    activity.hold(true);
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBe('Sent');
    activity.hold(false);
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBeUndefined();
  });

  it('is shown in the window’s current language (SC-06)', () => {
    let language = 'en';
    activity.notify(() => (language === 'en' ? 'Saved' : 'Sparat'));
    language = 'sv';
    expect(shown()).toBe('Sparat');
  });
});

describe('a warning', () => {
  it('disappears with its screen after some time to read it, and stays in the list of messages', () => {
    activity.warn(() => 'One was not signed');
    activity.leaveScreen();
    expect(shown()).toBe('One was not signed');
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBe('One was not signed');
    activity.leaveScreen();
    expect(shown()).toBeUndefined();
    expect(activity.past[0]).toMatchObject({ isWarning: true, at: Date.now() - LONG });
    expect(activity.past[0]?.words()).toBe('One was not signed');
  });

  it('disappears when its cause is gone, and stays in the list of messages', () => {
    activity.warn(() => 'The sheet has no rows', null, 'spreadsheet');
    activity.resolve('document');
    expect(shown()).toBe('The sheet has no rows');
    activity.resolve('spreadsheet');
    expect(shown()).toBeUndefined();
    expect(activity.past[0]?.words()).toBe('The sheet has no rows');
  });

  it('disappears when the same work succeeds, and not when other work does', async () => {
    const refused = new AppError('invalid', 'No rows', { reason: 'sheet-empty' });
    await activity.attempt(() => Promise.reject(refused), 'spreadsheet');
    await activity.attempt(() => Promise.resolve(), 'connection');
    await activity.attempt(() => Promise.resolve());
    expect(shown()).toBeTruthy();
    await activity.attempt(() => Promise.resolve(), 'spreadsheet');
    expect(shown()).toBeUndefined();
  });

  it('from work that ends well otherwise stays, because it reports the result of this work', async () => {
    await activity.attempt(async () => {
      activity.warn(() => 'One was not signed', null, 'signing.sign');
    }, 'signing.sign');
    expect(shown()).toBe('One was not signed');
  });

  it('about an unreachable service disappears when a service answers, or the same work succeeds', async () => {
    const offline = new AppError('offline', 'Nobody answers');
    await activity.attempt(() => Promise.reject(offline), 'office.exchange');
    activity.resolve('service');
    expect(shown()).toBeUndefined();
    await activity.attempt(() => Promise.reject(offline), 'office.exchange');
    await activity.attempt(() => Promise.resolve(), 'office.exchange');
    expect(shown()).toBeUndefined();
  });

  it('does not remove a newer message when its cause is gone', () => {
    activity.warn(() => 'Not connected', null, 'service');
    activity.notify(() => 'Saved');
    activity.resolve('service');
    expect(shown()).toBe('Saved');
  });

  it('stays for a reader whose pointer or focus is on it, although its cause is gone', () => {
    activity.warn(() => 'Not connected', null, 'service');
    activity.hold(true);
    activity.resolve('service');
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBe('Not connected');
    activity.hold(false);
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBeUndefined();
  });

  it('that no service was reached disappears as soon as a service answers', () => {
    activity.fail({ code: 'offline', message: 'Nobody answers' });
    activity.resolve('service');
    expect(shown()).toBeUndefined();
  });

  it('is listed with the newest first, and with 200 messages at most', () => {
    for (let at = 0; at < 250; at += 1) activity.notify(() => `Saved ${String(at)}`);
    expect(activity.past).toHaveLength(200);
    expect(activity.past.at(0)?.words()).toBe('Saved 249');
    expect(activity.past.at(-1)?.words()).toBe('Saved 50');
  });

  it('stays until it is closed, or until another message follows', async () => {
    await activity.attempt(() => Promise.reject(new AppError('offline', 'Nobody answers')));
    const before = shown();
    expect(before).toBeTruthy();
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBe(before);
    activity.notify(() => 'Saved');
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBeUndefined();
  });
});
