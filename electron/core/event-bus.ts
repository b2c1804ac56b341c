import type { Emit, EventData, EventName } from '../../shared/contract/index.ts';

type Listeners = { [Name in EventName]?: ((data: EventData<Name>) => void)[] };

/**
 * Emits the events of the open data: first to the page, then to the listeners in the program. An
 * event tells what is already stored, so a listener that throws fails neither the work that emitted
 * it nor the other listeners.
 */
export class EventBus {
  readonly #tellPage: Emit;
  readonly #complain: (error: unknown) => void;
  readonly #listeners: Listeners = {};
  readonly #listenersToAll: ((name: EventName) => void)[] = [];

  constructor(tellPage: Emit, complain: (error: unknown) => void) {
    this.#tellPage = tellPage;
    this.#complain = complain;
  }

  readonly emit: Emit = (name, data) => {
    this.#tellPage(name, data);
    for (const listener of this.#listeners[name] ?? []) this.#calmly(() => listener(data));
    for (const listener of this.#listenersToAll) this.#calmly(() => listener(name));
  };

  on<Name extends EventName>(name: Name, listener: (data: EventData<Name>) => void): void {
    const listeners: Listeners[Name] = this.#listeners[name] ?? [];
    listeners.push(listener);
    this.#listeners[name] = listeners;
  }

  onAny(listener: (name: EventName) => void): void {
    this.#listenersToAll.push(listener);
  }

  #calmly(listen: () => void): void {
    try {
      listen();
    } catch (error) {
      this.#complain(error);
    }
  }
}
