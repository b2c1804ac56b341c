import { apiOf } from './prepared-draft.ts';
import type { FurnishedDesk } from './furnished-desk.ts';

/** Adds an entry to the evidence: a statement that an agreement was read elsewhere. */
export async function addEvidence(app: FurnishedDesk): Promise<void> {
  const api = apiOf(app);
  const [person] = await api['identities.list']({});
  const ready = (await api['signing.list']({})).find(({ state }) => state === 'ready');
  if (person === undefined || ready === undefined) throw new Error('Nothing can be signed');
  const { connectionId, id } = ready;
  await api['signing.markReviewed']({ connectionId, id, identityId: person.id });
}
