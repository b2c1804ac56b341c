import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import { pageOf, remoteOf } from './fakes/fake-service.ts';
import type { MemoryDesk } from './fakes/memory-desk.ts';

/** An agreement that all have signed. */
export const signed = (id: string, change: Partial<RemoteAgreement> = {}) =>
  remoteOf({ id, title: `Lease ${id}`, state: 'signed', closedAt: 1, ...change });

/** Adds these agreements to the v1 service, and reads them. */
export async function plant(desk: MemoryDesk, ...agreements: RemoteAgreement[]): Promise<void> {
  desk.services.v1.pages = [pageOf(agreements, 1)];
  await desk.finish((await desk.api['agreements.sync']({})).jobId);
}
