import type { RestoreHandlers } from './backup/restore.ts';
import {
  type CallName,
  calls,
  type Handlers,
  type HandlersOf,
} from '../../shared/contract/index.ts';

/** Calls that are available before the data is open. */
export type EarlyHandlers = HandlersOf<'host'> &
  HandlersOf<'access'> &
  HandlersOf<'links'> &
  RestoreHandlers;

export type DataHandlers = Omit<Handlers, keyof EarlyHandlers>;

/**
 * Returns all calls as one table. `opened` returns the handlers of the open data at the time of the
 * call, or throws the reason why no data is open. `check` validates the input before the handler
 * runs.
 */
export function createHandlers(
  early: EarlyHandlers,
  opened: () => DataHandlers,
  check: CheckInput | null = null,
): Handlers {
  const table = { ...early };
  for (const name of Object.keys(calls)) {
    const get = (): unknown => {
      if (isLate(name, early)) return withInputCheck(opened()[name], name, check);
      return isEarly(name, early) ? withInputCheck(early[name], name, check) : undefined;
    };
    Object.defineProperty(table, name, { enumerable: true, get });
  }
  if (!isWhole(table)) throw new Error('A call has no handler');
  return table;
}

/** Function that throws if the call is not allowed with this input. */
type CheckInput = (name: CallName, input: unknown) => Promise<void>;

function withInputCheck(
  handler: (input: never) => Promise<unknown>,
  name: CallName,
  check: CheckInput | null,
): (input: never) => Promise<unknown> {
  if (check === null) return handler;
  return async (input) => {
    await check(name, input);
    return handler(input);
  };
}

function isLate(name: string, early: EarlyHandlers): name is keyof DataHandlers {
  return !Object.hasOwn(early, name);
}

function isEarly(name: string, early: EarlyHandlers): name is keyof EarlyHandlers {
  return Object.hasOwn(early, name);
}

function isWhole(table: EarlyHandlers): table is Handlers {
  return Object.keys(calls).every((name) => Object.hasOwn(table, name));
}
