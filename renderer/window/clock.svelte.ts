import { createSubscriber } from 'svelte/reactivity';

const CLOCK_TICK_MS = 1000;

/** The current time for reactive texts; it ticks only while one of them is shown. */
class Clock {
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, CLOCK_TICK_MS);
    return () => clearInterval(timer);
  });

  /** Current time (epoch ms). */
  get now(): number {
    this.#subscribe();
    return Date.now();
  }
}

export const clock = new Clock();
