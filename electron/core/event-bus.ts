import type { Emit, EventData, EventName } from '../../shared/contract/index.ts';

type Listeners = { [Name in EventName]?: ((data: EventData<Name>) => void)[] };

/** Announces the events of open data: to the page first, then to the parts of the program that follow them. */
export class EventBus {
  readonly #tellPage: Emit;
  readonly #listeners: Listeners = {};
  readonly #listenersToAll: ((name: EventName) => void)[] = [];

  constructor(tellPage: Emit) {
    this.#tellPage = tellPage;
  }

  readonly emit: Emit = (name, data) => {
    this.#tellPage(name, data);
    for (const listener of this.#listeners[name] ?? []) listener(data);
    for (const listener of this.#listenersToAll) listener(name);
  };

  /** Calls `listener` with each later event of this name. */
  on<Name extends EventName>(name: Name, listener: (data: EventData<Name>) => void): void {
    const listeners: Listeners[Name] = this.#listeners[name] ?? [];
    listeners.push(listener);
    this.#listeners[name] = listeners;
  }

  /** Calls `listener` with the name of each later event. */
  onAny(listener: (name: EventName) => void): void {
    this.#listenersToAll.push(listener);
  }
}
