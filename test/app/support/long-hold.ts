import type { DeskApp } from './desk.ts';
import { apiOf } from './prepared-draft.ts';

/** Seconds; the longest there is. */
export const LONG_HOLD = 30;

/** From now on a send is held as long as it can be: a busy computer clicks slowly. */
export async function holdLong(app: DeskApp): Promise<void> {
  await apiOf(app)['settings.write']({ holdSeconds: LONG_HOLD });
  await app.page.reload();
}
