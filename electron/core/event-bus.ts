import type { Emit, EventData, EventName } from '../../shared/contract/index.ts';

type Listeners = { [Name in EventName]?: ((data: EventData<Name>) => void)[] };

/** Emits the events of the open data: first to the page, then to the listeners in the program. */
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

  on<Name extends EventName>(name: Name, listener: (data: EventData<Name>) => void): void {
    const listeners: Listeners[Name] = this.#listeners[name] ?? [];
    listeners.push(listener);
    this.#listeners[name] = listeners;
  }

  onAny(listener: (name: EventName) => void): void {
    this.#listenersToAll.push(listener);
  }
}
