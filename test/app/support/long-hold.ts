import type { DeskApp } from './desk.ts';
import { apiOf } from './prepared-draft.ts';

/** Longest possible delay (seconds). */
export const LONG_HOLD = 30;

/** Sets the delay of sends to its maximum, because clicks take long on a busy computer. */
export async function holdLong(app: DeskApp): Promise<void> {
  await apiOf(app)['settings.write']({ holdSeconds: LONG_HOLD });
  await app.page.reload();
}
