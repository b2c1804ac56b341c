import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgreementId, IdentityId } from '../../../shared/model/ids.ts';
import { createWorld, type MemoryDesk, startMemoryDesk } from '../../support/fakes/memory-desk.ts';
import { createMemoryLog } from '../../support/fakes/memory-ports.ts';
import { ANNA, BO, createMemoryOffice, join, type MemoryOffice } from './memory-office.ts';

describe('a computer that lists the requests for approval', () => {
  let office: MemoryOffice;
  let desk: MemoryDesk;
  /** Names of the work during which an error was logged. */
  let failed: string[];

  beforeEach(async () => {
    office = createMemoryOffice();
    failed = [];
    const error = (_: unknown, during: string) => `ref-${String(failed.push(during))}`;
    const log = { ...createMemoryLog(), error };
    const world = { ...createWorld(), offices: office.offices, log };
    await join(world);
    desk = startMemoryDesk(world);
  });
  afterEach(() => desk.desk.stop());

  it('shows an undecided request without a decision, and who decided about the other', async () => {
    const request = {
      title: 'Lease',
      service: 'https://service.example/ 1',
      agreementId: AgreementId.parse('a'),
      review: 1,
      documents: [],
      note: 'Before Friday',
    };
    const person = {
      id: IdentityId.parse(randomUUID()),
      name: 'Bo Ek',
      role: null,
      personNumberMasked: null,
      email: null,
    };
    const decision = { isApproved: false, person, reason: 'Wrong annex', by: BO, at: 3 };
    const named = { from: ANNA.seat, askedAt: 1, request };
    office.approvals = () => [
      { ...named, id: randomUUID(), decision: null },
      { ...named, id: randomUUID(), decision },
    ];
    expect(await desk.api['office.approvals']({})).toMatchObject([
      { title: 'Lease', note: 'Before Friday', isOwn: true, isReviewed: false, decision: null },
      {
        decision: { isApproved: false, person: 'Bo Ek', seat: 'Bo', reason: 'Wrong annex', at: 3 },
      },
    ]);
  });

  it('names the approvals in its log if they could not be read after an exchange', async () => {
    office.approvals = () => {
      throw new Error('A fault of the program');
    };
    await desk.api['office.exchange']({});
    await expect.poll(() => failed).toContain('office.approvals');
  });
});
