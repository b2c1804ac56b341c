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
