import { AppError } from '../../../../shared/errors.ts';

import type { NewItemVersion, SharedItems } from './ports.ts';

/**
 * Maximum number of items rejected individually, so that a server that rejects everything is not
 * tried with each item of a large address book.
 */
const MAX_REFUSED = 20;

interface EachWriteResult {
  readonly written: ReadonlySet<NewItemVersion>;
  /**
   * Number of items that the office rejects individually, and the first error; null if there are
   * none.
   */
  readonly refused: { readonly count: number; readonly error: AppError } | null;
}

/**
 * Writes versions like `SharedItems.write`. If the office rejects several items together, tries
 * each half of them, down to single items, so that a rejected item does not block the others.
 */
export async function writeEach(
  items: Pick<SharedItems, 'write'>,
  versions: readonly NewItemVersion[],
): Promise<EachWriteResult> {
  const written = new Set<NewItemVersion>();
  let [count, error]: [number, AppError | null] = [0, null];
  const parts = [versions];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    try {
      for (const one of await items.write(part)) written.add(one);
    } catch (cause) {
      const [only] = part;
      if (only === undefined || !isRefusal(cause) || count === MAX_REFUSED) throw cause;
      if (part.length === 1) {
        count += 1;
        error ??= refusalOf(only, cause);
        continue;
      }
      const half = Math.ceil(part.length / 2);
      parts.push(part.slice(half), part.slice(0, half));
    }
  }
  return { written, refused: error === null ? null : { count, error } };
}

/**
 * Whether the office rejected the items themselves. False if the office is unreachable or full, or
 * does not allow this user to write.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError &&
  error.failure.code === 'service' &&
  error.failure.reason === undefined;

const refusalOf = ({ kind, id }: NewItemVersion, cause: unknown): AppError =>
  new AppError(
    'service',
    `The office’s database refuses this ${kind} from this computer: ${id}. Everything else is shared`,
    { cause },
  );
