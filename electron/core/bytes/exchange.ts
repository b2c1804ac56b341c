import { BytesId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Chance, Clock } from '../ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/**
 * Maximum size of all stored bytes: enough for the largest files of a few drafts; more would be a
 * leak.
 */
const MAX_EXCHANGE_BYTES = 64 * 1024 * 1024;
/**
 * Time (ms) for which bytes are stored: long enough for a user to look at a merged file before
 * saving it.
 */
const EXCHANGE_LIFETIME_MS = 10 * MINUTE;

/**
 * Creates a store that keeps bytes by id for ten minutes; the oldest make room for new ones. Bytes
 * can be taken repeatedly.
 */
export function createByteExchange(clock: Clock, chance: Chance): ByteExchange {
  const waiting = new Map<BytesId, { readonly data: Uint8Array; readonly until: number }>();

  const dropOld = () => {
    for (const [id, { until }] of waiting) if (until <= clock.now()) waiting.delete(id);
  };
  const makeRoom = (bytes: number) => {
    let used = [...waiting.values()].reduce((sum, { data }) => sum + data.length, 0);
    for (const [id, { data }] of waiting) {
      if (used + bytes <= MAX_EXCHANGE_BYTES) return;
      waiting.delete(id);
      used -= data.length;
    }
  };

  return {
    put(data) {
      if (data.length > MAX_EXCHANGE_BYTES) {
        throw new AppError('invalid', 'The file is too large', { reason: 'too-large' });
      }
      dropOld();
      makeRoom(data.length);
      const id = BytesId.parse(chance.uuid());
      waiting.set(id, { data, until: clock.now() + EXCHANGE_LIFETIME_MS });
      return id;
    },
    take(id) {
      dropOld();
      const found = waiting.get(id);
      if (found === undefined) {
        throw new AppError('not-found', 'This file is no longer available. Choose it again');
      }
      return found.data;
    },
  };
}
