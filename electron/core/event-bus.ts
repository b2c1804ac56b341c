import type { Emit, EventData, EventName } from '../../shared/contract/index.ts';

type Listeners = { [Name in EventName]?: ((data: EventData<Name>) => void)[] };

/**
 * Emits the events of the open data: first to the page, then to the listeners in the program. An
 * event reports data that is already stored, so a listener that throws fails neither the work that
 * emitted the event nor the other listeners.
 */
export class EventBus {
  readonly #emitToPage: Emit;
  readonly #reportError: (error: unknown) => void;
  readonly #listeners: Listeners = {};
  readonly #listenersToAll: ((name: EventName) => void)[] = [];

  constructor(emitToPage: Emit, reportError: (error: unknown) => void) {
    this.#emitToPage = emitToPage;
    this.#reportError = reportError;
  }

  readonly emit: Emit = (name, data) => {
    this.#emitToPage(name, data);
    for (const listener of this.#listeners[name] ?? []) this.#callListener(() => listener(data));
    for (const listener of this.#listenersToAll) this.#callListener(() => listener(name));
  };

  on<Name extends EventName>(name: Name, listener: (data: EventData<Name>) => void): void {
    const listeners: Listeners[Name] = this.#listeners[name] ?? [];
    listeners.push(listener);
    this.#listeners[name] = listeners;
  }

  onAny(listener: (name: EventName) => void): void {
    this.#listenersToAll.push(listener);
  }

  #callListener(listen: () => void): void {
    try {
      listen();
    } catch (error) {
      this.#reportError(error);
    }
  }
}
