import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { activity } from '../../../renderer/window/activity.svelte.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

// Without a window there is no desk to ask.
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

describe('what happened', () => {
  it('is said for some seconds, and leaves by itself (SC-06)', () => {
    activity.say(() => 'Copied');
    vi.advanceTimersByTime(5000);
    expect(shown()).toBe('Copied');
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBeUndefined();
  });

  it('is said as long from the second sentence on as from the first', () => {
    activity.say(() => 'Copied');
    vi.advanceTimersByTime(9000);
    activity.say(() => 'Saved');
    vi.advanceTimersByTime(9000);
    expect(shown()).toBe('Saved');
  });

  it('stays while the pointer or the focus is on it', () => {
    activity.say(() => 'Sent', { label: () => 'Show', run: () => undefined });
    activity.hold(true);
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBe('Sent');
    activity.hold(false);
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBeUndefined();
  });

  it('is a sentence of the language that is spoken when it is read (SC-06)', () => {
    let language = 'en';
    activity.say(() => (language === 'en' ? 'Saved' : 'Sparat'));
    language = 'sv';
    expect(shown()).toBe('Sparat');
  });
});

describe('what a person has to know', () => {
  it('leaves with the screen once there was time to read it, and stays in the list of messages', () => {
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

  it('lists the newest message first, and no more than 200', () => {
    for (let at = 0; at < 250; at += 1) activity.say(() => `Saved ${String(at)}`);
    expect(activity.past).toHaveLength(200);
    expect(activity.past.at(0)?.words()).toBe('Saved 249');
    expect(activity.past.at(-1)?.words()).toBe('Saved 50');
  });

  it('stays until it is closed, or until something else is said', async () => {
    await activity.attempt(() => Promise.reject(new AppError('offline', 'Nobody answers')));
    const before = shown();
    expect(before).toBeTruthy();
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBe(before);
    activity.say(() => 'Saved');
    vi.advanceTimersByTime(LONG);
    expect(shown()).toBeUndefined();
  });
});
