import { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';

const LOG_FILE = process.env['STAND_IN_LOG'];

/** Records a call of the program as one line of JSON, for a test to read. */
export function note(name: string, ...args: readonly unknown[]): void {
  if (LOG_FILE !== undefined) appendFileSync(LOG_FILE, `${JSON.stringify([name, ...args])}\n`);
}

/** Returns a function that only records its calls and returns `answer`. */
export function noted<Answer>(name: string, answer: Answer): (...args: unknown[]) => Answer {
  return (...args) => {
    note(name, ...args);
    return answer;
  };
}

/**
 * Returns `object` as an object of Electron: access to a property that the stand-in lacks throws.
 */
export function strict<Of extends object>(name: string, object: Of): Of {
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      // A proxy cannot reach private members of a class.
      if (typeof value === 'function') return value.bind(target);
      // `await` reads `then`, and Node itself reads symbols.
      if (typeof key === 'symbol' || key in target || key === 'then') return value;
      throw new Error(`The stand-in for Electron has no ${name}.${key}`);
    },
  });
}

/** An event emitter that knows only the given `events`; listening for any other event throws. */
export class StrictEmitter extends EventEmitter {
  readonly #name: string;
  readonly #events: readonly string[];

  constructor(name: string, events: readonly string[]) {
    super();
    this.#name = name;
    this.#events = events;
  }

  override on(event: string, listener: (...args: unknown[]) => void): this {
    return super.on(this.#known(event), listener);
  }

  override once(event: string, listener: (...args: unknown[]) => void): this {
    return super.once(this.#known(event), listener);
  }

  #known(event: string): string {
    if (this.#events.includes(event)) return event;
    throw new Error(`The stand-in for Electron tells of no event ${this.#name}: ${event}`);
  }
}
