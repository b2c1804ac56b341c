import type { RestoreHandlers } from './backup/restore.ts';
import {
  type CallName,
  calls,
  type Handlers,
  type HandlersOf,
} from '../../shared/contract/index.ts';

/** Calls that are answered before the data is open. */
export type EarlyHandlers = HandlersOf<'host'> &
  HandlersOf<'access'> &
  HandlersOf<'links'> &
  RestoreHandlers;

/** Calls that need the data of this computer. */
export type DataHandlers = Omit<Handlers, keyof EarlyHandlers>;

/**
 * All calls as one table. `opened` gives the handlers of the data that is open at the time of the
 * call, and throws the reason while none is. `check` looks at the input before its handler does.
 */
export function createHandlers(
  early: EarlyHandlers,
  opened: () => DataHandlers,
  check: CheckInput | null = null,
): Handlers {
  const table = { ...early };
  for (const name of Object.keys(calls)) {
    const get = (): unknown => {
      if (isLate(name, early)) return checked(opened()[name], name, check);
      return isEarly(name, early) ? checked(early[name], name, check) : undefined;
    };
    Object.defineProperty(table, name, { enumerable: true, get });
  }
  if (!isWhole(table)) throw new Error('A call has no handler');
  return table;
}

/** Throws when a call may not be asked so. */
type CheckInput = (name: CallName, input: unknown) => Promise<void>;

function checked(
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
