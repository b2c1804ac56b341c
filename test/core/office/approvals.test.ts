// tier: all
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { OpenedReview, SignResult } from '../../../shared/contract/signing.ts';
import type { OfficeUserRight } from '../../../shared/contract/office/office.ts';
import type { AgreementKey, IdentityId } from '../../../shared/model/ids.ts';
import {
  addConnected,
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { sendElsewhere, toSign } from '../../support/send-elsewhere.ts';
import { pdfOf } from '../../support/small-pdf.ts';

const TIMEOUT_MS = 120_000;
const TITLE = 'Ramavtal';

/** A desk with the identity of the person who signs on it. */
interface Signer extends HomeDesk {
  readonly identityId: IdentityId;
}

describe.skipIf(postgresPrograms === null)('an approval from another computer', () => {
  let office: OfficeDesks;
  let service: Demo;
  let anna: Signer;
  let bo: Signer;

  beforeEach(async () => {
    service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    office = await startOfficeDesks();
    anna = await seat('Anna');
    bo = await seat('Bo');
    await sendElsewhere(service, toSign(TITLE, pdfOf('frame')));
    for (const one of [anna, bo]) await read(one);
    await anna.api['settings.write']({ fourEyes: true });
    await review(anna);
  }, TIMEOUT_MS);
  afterEach(async () => {
    await office.close();
    await service.close();
  });

  const seat = async (name: string, rights?: readonly OfficeUserRight[]): Promise<Signer> => {
    const home = await addConnected(office, service, name, rights);
    const person = { name, firstName: name, lastName: 'Ek' };
    const { id: identityId } = await home.api['identities.add'](person);
    return { ...home, identityId };
  };
  const read = async ({ api, finish }: HomeDesk) =>
    void (await finish(await api['agreements.sync']({})));
  const itemOf = async ({ api }: HomeDesk) => {
    const [item] = await api['signing.list']({});
    if (item === undefined) throw new Error('Nothing waits for a signature');
    return item;
  };
  const keyOf = async (one: HomeDesk): Promise<AgreementKey> => {
    const { connectionId, id } = await itemOf(one);
    return { connectionId, id };
  };
  const review = async (one: Signer) => {
    const key = await keyOf(one);
    const job = await one.finish(await one.api['signing.review'](key));
    const { reviewId } = OpenedReview.parse(job.result);
    await one.api['signing.markReviewed']({ ...key, reviewId, identityId: one.identityId });
  };
  const ask = async (one: HomeDesk, note = '') =>
    one.api['office.askApproval']({ ...(await keyOf(one)), note });
  const asked = async ({ api }: HomeDesk) => {
    const [one] = await api['office.approvals']({});
    if (one === undefined) throw new Error('Nobody asks for anything');
    return one;
  };
  const decide = async (one: Signer, isApproved = true, reason = '') => {
    const { id } = await asked(one);
    await one.api['office.decide']({ id, identityId: one.identityId, isApproved, reason });
  };
  const sign = async (one: Signer) => {
    const { connectionId, id, partyId } = await itemOf(one);
    const items = [{ connectionId, id, partyId }];
    const order = { items, identityId: one.identityId, confirm: 1, stopOnFailure: false };
    const job = await one.finish(await one.api['signing.sign'](order));
    return SignResult.parse(job.result);
  };
  const whyNot = async (one: Signer) => (await sign(one)).failed[0]?.failure.reason;
  const facts = async ({ api }: HomeDesk) => {
    const { items } = await api['evidence.list']({ limit: 50 });
    return items.map(({ fact, by }) => ({ fact, by: by.person?.name }));
  };

  it('is the only kind of approval that counts when the settings require it', async () => {
    await anna.api['settings.write']({ fourEyesElsewhere: true });
    const other = { name: 'Cia', firstName: 'Cia', lastName: 'Berg' };
    const { id: second } = await anna.api['identities.add'](other);
    const here = anna.api['signing.approve']({ ...(await keyOf(anna)), identityId: second });
    await expect(here).rejects.toMatchObject({ failure: { code: 'forbidden' } });
    // An approval from before the rule does not count; it counts when the rule is off again.
    await anna.api['settings.write']({ fourEyesElsewhere: false });
    await anna.api['signing.approve']({ ...(await keyOf(anna)), identityId: second });
    expect((await itemOf(anna)).approval).toMatchObject({ person: 'Cia Berg', seat: null });
    await anna.api['settings.write']({ fourEyesElsewhere: true });
    expect((await itemOf(anna)).approval).toBeNull();
    expect(await whyNot(anna)).toBe('not-approved');
    await ask(anna);
    await review(bo);
    await decide(bo);
    expect(await whyNot(anna)).toBeUndefined();
  });

  it('arrives without polling', async () => {
    await ask(anna);
    await review(bo);
    await decide(bo);
    await anna.api['office.exchange']({});
    await expect
      .poll(async () => (await itemOf(anna)).approval, { timeout: 20_000 })
      .toMatchObject({ seat: 'Bo' });
  });

  it('lets the other computer sign, and is recorded in the evidence of both', async () => {
    expect(await whyNot(anna)).toBe('not-approved');
    await ask(anna, 'Före fredag');
    expect(await asked(bo)).toMatchObject({
      title: TITLE,
      note: 'Före fredag',
      asker: 'Anna',
      isOwn: false,
      isReviewed: false,
      decision: null,
    });
    await review(bo);
    expect(await asked(bo)).toMatchObject({ isReviewed: true });
    await decide(bo);
    const { id, decision } = await asked(anna);
    expect(decision).toMatchObject({ isApproved: true, person: 'Bo Ek', seat: 'Bo' });
    await expect
      .poll(async () => (await itemOf(anna)).approval, { timeout: TIMEOUT_MS })
      .toMatchObject({ person: 'Bo Ek', seat: 'Bo' });
    expect((await sign(anna)).signed).toHaveLength(1);
    expect(await facts(bo)).toContainEqual({
      fact: { kind: 'approved', review: 1, office: { id, for: 'Anna' } },
      by: 'Bo Ek',
    });
    expect(await facts(anna)).toContainEqual({
      fact: { kind: 'approved', review: 1, office: { id, by: 'Bo', at: decision?.at } },
      by: 'Bo Ek',
    });
    // Repeated requests are recorded once.
    for (let times = 0; times < 2; times += 1) await anna.api['office.exchange']({});
    const kinds = (await facts(anna)).map(({ fact }) => fact.kind);
    expect(kinds.filter((kind) => kind === 'approved')).toHaveLength(1);
    expect((await anna.api['evidence.verify']({})).chain).toBe('ok');
  });

  it('cannot be given for the user’s own request', async () => {
    await ask(anna);
    await expect(decide(anna)).rejects.toMatchObject({ failure: { code: 'not-found' } });
    expect(await whyNot(anna)).toBe('not-approved');
  });

  it('cannot be given by a user who has not read the agreement', async () => {
    await ask(anna);
    await expect(decide(bo)).rejects.toMatchObject({ failure: { reason: 'not-reviewed' } });
  });

  it('cannot be given on a computer that does not have the agreement', async () => {
    const cy = await seat('Cy');
    await ask(anna);
    await expect(decide(cy)).rejects.toMatchObject({ failure: { code: 'not-found' } });
    expect(await asked(anna)).toMatchObject({ decision: null });
  });

  it('cannot be given by a user who read other documents', async () => {
    await ask(anna);
    const fault = service.fault({
      path: /\/storage\//u,
      do: { kind: 'status', status: 200, body: pdfOf('other'), contentType: 'application/pdf' },
    });
    await review(bo);
    expect(fault.hits()).toBe(1);
    await expect(decide(bo)).rejects.toMatchObject({ failure: { reason: 'documents-changed' } });
    expect(await asked(bo)).toMatchObject({ isReviewed: false });
  });

  it('cannot be given by a user without the right to sign, even if their program claims it', async () => {
    const cy = await seat('Cy', ['send']);
    await read(cy);
    await ask(anna);
    await review(cy);
    await expect(decide(cy)).rejects.toMatchObject({ failure: { code: 'forbidden' } });
    expect(await asked(bo)).toMatchObject({ decision: null });
  });

  it('can be refused with a reason, and then another user cannot give it', async () => {
    await ask(anna);
    await decide(bo, false, 'Fel bilaga');
    expect((await asked(anna)).decision).toMatchObject({ isApproved: false, reason: 'Fel bilaga' });
    expect(await bo.api['office.approvals']({})).toEqual([]);
    expect(await whyNot(anna)).toBe('not-approved');
  });

  it('does not count for a later review, and does not allow signing at the approver’s computer', async () => {
    await ask(anna);
    await review(bo);
    await bo.api['settings.write']({ fourEyes: true });
    await review(anna);
    await decide(bo);
    expect(await whyNot(anna)).toBe('not-approved');
    const { id: otherId } = await bo.api['identities.add']({
      name: 'Cia',
      firstName: 'Cia',
      lastName: 'Berg',
    });
    expect(await whyNot({ ...bo, identityId: otherId })).toBe('not-approved');
    expect((await facts(anna)).filter(({ fact }) => fact.kind === 'approved')).toEqual([]);
  });

  it('does not show the server the agreement, the approver or the reason', async () => {
    await ask(anna, 'Hemlig fråga');
    await decide(bo, false, 'Hemligt svar');
    const { rows } = await office.postgres.run(
      'SELECT sealed, decision FROM signing_desk.approval',
      'signing_desk',
    );
    const bytes = Buffer.concat([rows[0]?.sealed, rows[0]?.decision]).toString('latin1');
    expect(bytes.length).toBeGreaterThan(200);
    expect(bytes).not.toMatch(/Hemlig|Ramavtal|Bo Ek/u);
  });
});
