import { AgreementId, type ConnectionId, type IdentityId } from '../../../shared/model/ids.ts';
import { OpenedReview, SignResult } from '../../../shared/contract/signing.ts';
import type { AgreementDocument } from '../../../shared/model/agreement.ts';
import { PDF_TEXT, pageOf, partyOf, remoteOf } from '../fakes/fake-service.ts';
import {
  addConnection,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../fakes/memory-desk.ts';

/** The program with a signing person and their connection. */
export interface SigningDesk extends MemoryDesk {
  connectionId: ConnectionId;
  identityId: IdentityId;
}

export async function startSigningDesk(world?: World): Promise<SigningDesk> {
  const desk = startMemoryDesk(world);
  const { id: connectionId } = await addConnection(desk);
  const karin = { name: 'Karin', firstName: 'Karin', lastName: 'Lind', country: 'SE' };
  const { id: identityId } = await desk.api['identities.add'](karin);
  return { ...desk, connectionId, identityId };
}

export const lease: AgreementDocument = {
  id: 'doc-1',
  name: 'lease.pdf',
  title: null,
  mimeType: 'application/pdf',
  category: 'agreement',
  bytes: null,
};

export const keyOf = ({ connectionId }: SigningDesk, id: string) => ({
  connectionId,
  id: AgreementId.parse(id),
});

/** Item of the signing queue for the only party of our company. */
export const itemOf = (desk: SigningDesk, id: string) => ({
  ...keyOf(desk, id),
  partyId: 'party-1',
});

/** Adds agreements that wait for our company, both in the program and on the service. */
export async function plantUnread(desk: SigningDesk, ...ids: string[]): Promise<void> {
  const { v1 } = desk.services;
  v1.documents.set('doc-1', PDF_TEXT);
  const agreements = ids.map((id) =>
    remoteOf({ id, title: `Title ${id}`, parties: [partyOf({})], documents: [lease] }),
  );
  for (const one of agreements) v1.agreements.set(one.id, one);
  v1.pages = [pageOf(agreements, 1)];
  const { jobId } = await desk.api['agreements.sync']({ connectionId: desk.connectionId });
  await desk.finish(jobId);
  v1.reads.length = 0;
}

/** Adds agreements that wait for our company and are already reviewed. */
export async function plant(desk: SigningDesk, ...ids: string[]): Promise<void> {
  await plantUnread(desk, ...ids);
  for (const id of ids) await review(desk, id);
  desk.services.v1.reads.length = 0;
}

/** Opens the documents and marks them reviewed. */
export async function review(desk: SigningDesk, id: string): Promise<void> {
  const { identityId } = desk;
  const key = keyOf(desk, id);
  const { jobId } = await desk.api['signing.review'](key);
  const { reviewId } = OpenedReview.parse((await desk.finish(jobId)).result);
  await desk.api['signing.markReviewed']({ ...key, reviewId, identityId });
}

export async function sign(desk: SigningDesk, ...ids: string[]): Promise<SignResult> {
  const { identityId } = desk;
  const items = ids.map((id) => itemOf(desk, id));
  const { jobId } = await desk.api['signing.sign']({ items, identityId, confirm: items.length });
  return SignResult.parse((await desk.finish(jobId)).result);
}
