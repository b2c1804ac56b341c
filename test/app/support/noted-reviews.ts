import type { DeskApp } from './desk.ts';
import { apiOf } from './prepared-draft.ts';

/** Adds `count` evidence entries: statements that the documents were read outside the program. */
export async function noteReviews(app: DeskApp, count: number): Promise<void> {
  const api = apiOf(app);
  const [identity] = await api['identities.list']({});
  if (identity === undefined) throw new Error('Nobody signs');
  const waiting = (await api['signing.list']({})).filter(({ readable }) => !readable);
  for (let number = 0; number < count; number += 1) {
    const item = waiting[number % waiting.length];
    if (item === undefined) throw new Error('Nothing waits for us');
    const { connectionId, id } = item;
    await api['signing.markReviewed']({ connectionId, id, identityId: identity.id });
  }
}
