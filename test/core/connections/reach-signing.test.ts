import { beforeEach, describe, expect, it } from 'vitest';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { addConnection } from '../../support/fakes/memory-desk.ts';
import {
  itemOf,
  keyOf,
  lease,
  plant,
  sign,
  type SigningDesk,
  startSigningDesk,
} from '../../support/desks/signing-desk.ts';
import { SignResult } from '../../../shared/contract/signing.ts';

let desk: SigningDesk;

beforeEach(async () => {
  desk = await startSigningDesk();
});

const limit = (allowed: string[] | null) =>
  desk.api['connections.allow']({ id: desk.connectionId, allowed });

/** A second party, which the service notifies of the signature without its own notification. */
function addParty(id: string, email: string): void {
  const parties = [partyOf({}), partyOf({ id: 'party-2', email, apiSigning: null })];
  const remote = remoteOf({ id, title: `Title ${id}`, parties, documents: [lease] });
  desk.services.v1.agreements.set(id, remote);
}

describe('a signature through a connection limited to certain recipients', () => {
  it('is rejected when another party is not allowed, and given when all are (FE-N3)', async () => {
    await plant(desk, 'a');
    addParty('a', 'x@else.test');
    await limit(['@example.com']);
    expect((await sign(desk, 'a')).failed[0]?.failure).toMatchObject({ reason: 'stranger' });
    expect(desk.services.v1.signed).toEqual([]);
    await limit(['@example.com', '@else.test']);
    expect((await sign(desk, 'a')).signed).toHaveLength(1);
  });

  it('is rejected when API v2 does not show whom the agreement notifies (FE-N3)', async () => {
    desk.connectionId = (await addConnection(desk, 'v2')).id;
    const party = partyOf({ id: '5569813599', orgNo: '5569813599', apiSigning: 'company' });
    const remote = remoteOf({ id: '2311', parties: [party] });
    desk.services.v2.agreements.set('2311', remote);
    desk.services.v2.pages = [pageOf([remote], 1)];
    const { jobId } = await desk.api['agreements.sync']({ connectionId: desk.connectionId });
    await desk.finish(jobId);
    const bo = { name: 'Bo', firstName: 'Bo', lastName: 'Ek', personNumber: '189001019802' };
    const { id: identityId } = await desk.api['identities.add'](bo);
    await desk.api['signing.markReviewed']({ ...keyOf(desk, '2311'), identityId });
    const signIt = async () => {
      const items = [{ ...itemOf(desk, '2311'), partyId: party.id }];
      const started = await desk.api['signing.sign']({ items, identityId, confirm: 1 });
      return SignResult.parse((await desk.finish(started.jobId)).result);
    };
    await limit(['@example.com']);
    const { failed } = await signIt();
    expect(failed[0]?.failure).toMatchObject({ reason: 'recipients-unknown' });
    expect(desk.services.v2.signed).toEqual([]);
    await limit(null);
    expect((await signIt()).signed).toHaveLength(1);
  });
});
