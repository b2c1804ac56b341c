import { beforeEach, describe, expect, it } from 'vitest';
import { statementOf } from '../../../electron/core/evidence/statement.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import { extrasOf, lost } from '../../support/fakes/fake-actions.ts';
import { pageOf, partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { textOf } from '../../support/fakes/memory-ports.ts';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';

const unknown = { kind: 'unknown', failure: lost } as const;
const PERSON = '189001019802';
const OTHER = '198507099805';
const COMPANY = '5569813599';

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk, 'v2')).id;
});

const person = (change: Partial<Party> = {}) =>
  partyOf({ id: 'private-1', name: 'Bo Ek', kind: 'person', apiSigning: null, ...change });
const company = (change: Partial<Party> = {}) =>
  partyOf({ id: COMPANY, name: 'Berg AB', kind: 'company', orgNo: COMPANY, ...change });

const key = () => ({ connectionId, id: AgreementId.parse('7') });
const sent = () => world.actions.v2.sent;

/** Adds an agreement to this computer’s copies and to the service. */
function plant(change: Partial<RemoteAgreement> = {}): void {
  onService(change);
  world.stores.agreements.put(connectionId, 'v2', [remoteNow()], world.clock.now());
}

function onService(change: Partial<RemoteAgreement>): void {
  const parties = [company(), person()];
  world.services.v2.agreements.set('7', remoteOf({ id: '7', title: 'Lease', parties, ...change }));
}

function remoteNow(): RemoteAgreement {
  const remote = world.services.v2.agreements.get('7');
  if (remote === undefined || remote instanceof Error) throw new Error('planted');
  return remote;
}

/** Makes the service carry out the private party’s rejection. */
function commit(): void {
  const parties = [company(), person({ state: 'rejected' })];
  onService({ state: 'rejected', nativeState: 'REJECTED', parties });
}

const asPerson = { partyType: 'PRIVATE', personNo: PERSON } as const;
const reject = (rejection: Parameters<typeof rejectOn>[1] = asPerson) => rejectOn(desk, rejection);

function rejectOn(
  { api }: MemoryDesk,
  rejection:
    | typeof asPerson
    | { partyType: 'COMPANY'; personNo: typeof PERSON; orgNo: typeof COMPANY },
) {
  return api['actions.reject']({ key: key(), rejection, confirm: 1 });
}

/** Evidence entries, oldest first. */
async function entries(of: MemoryDesk = desk) {
  return (await of.api['evidence.list']({})).items.toReversed();
}
const facts = async (of: MemoryDesk = desk) => (await entries(of)).map(({ fact }) => fact);
const endings = async (of: MemoryDesk = desk) =>
  (await facts(of)).flatMap((fact) => (fact.kind === 'ended' ? [fact] : []));

/** Reads the list again, and then the agreement itself, as if a person had opened it. */
async function lookAgain(of: MemoryDesk): Promise<void> {
  world.clock.advance(1_000);
  world.services.v2.pages = [pageOf([remoteNow()], 1)];
  await of.finish((await of.api['agreements.sync']({ connectionId })).jobId);
  for (const { actionId } of await of.api['actions.list']({})) {
    await of.api['actions.look']({ actionId });
  }
}

/** Starts a process with the same data, after the system released the lock of a killed one. */
const restart = () => startMemoryDesk({ ...world, locks: createWorld().locks });

describe('the evidence of a rejection', () => {
  it('names the person and the agreement before the request is sent, and then the outcome (T2-62)', async () => {
    plant();
    let before: unknown[] = [];
    const serverTime = world.clock.now() + 7_000;
    world.actions.v2.serverTime = serverTime;
    const arrive = world.actions.v2.reject;
    world.actions.v2.reject = async (...request) => {
      before = await facts();
      world.clock.advance(1_000);
      commit();
      return arrive(...request);
    };
    await reject();
    expect(before).toMatchObject([
      {
        kind: 'intended',
        act: 'reject',
        documents: [],
        review: null,
        signedAt: null,
        party: { id: 'private-1', name: 'Bo Ek' },
        parties: [{ name: 'Berg AB' }, { name: 'Bo Ek' }],
        personNumberMasked: '18900101••••',
      },
    ]);
    expect((await facts()).slice(1)).toMatchObject([
      {
        kind: 'ended',
        act: 'reject',
        intent: 1,
        outcome: 'done',
        known: 'answer',
        serverAt: serverTime,
      },
    ]);
    expect((await endings())[0]).toMatchObject({ state: 'REJECTED' });
    expect(await desk.api['evidence.verify']({})).toMatchObject({ entries: 2, chain: 'ok' });
  });

  it('names the person who rejected by the number sent, and contains no full number', async () => {
    const role = 'Managing director';
    const ours = { name: 'Bo', firstName: 'Bo', lastName: 'Ek', personNumber: PERSON, role };
    await desk.api['identities.add'](ours);
    plant();
    await reject({ partyType: 'COMPANY', personNo: PERSON, orgNo: COMPANY });
    const [intent] = await entries();
    expect(intent).toMatchObject({
      by: { user: 'maria', person: { name: 'Bo Ek', role } },
      fact: { party: { id: COMPANY, name: 'Berg AB', orgNo: COMPANY } },
    });
    expect(JSON.stringify(await entries())).not.toContain(PERSON.slice(-4));
  });

  it('identifies the person among several parties by the service’s data', async () => {
    plant({ parties: [person(), person({ id: 'private-2', name: 'Åsa Öberg' })] });
    world.actions.v2.extrasOfAll = extrasOf(null, { 'private-1': [], 'private-2': [] });
    const [first, second] = world.actions.v2.extrasOfAll.parties;
    if (first === undefined || second === undefined) throw new Error('two parties');
    const numbered = [
      { ...first, personNumber: '19850709-••••' },
      { ...second, personNumber: '900101-••••' },
    ];
    world.actions.v2.extrasOfAll = { ...world.actions.v2.extrasOfAll, parties: numbered };
    await reject();
    expect((await facts())[0]).toMatchObject({ party: { id: 'private-2', name: 'Åsa Öberg' } });
    expect(OTHER.slice(0, 8)).toBe('19850709');
  });

  it('is not started when no request is sent because the agreement is rejected or cannot be', async () => {
    plant({ state: 'rejected' });
    await reject();
    plant({ state: 'signed' });
    await expect(reject()).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(sent()).toEqual([]);
    expect(await facts()).toEqual([]);
  });

  it('states that no rejection happened when the service refused or the request was not sent', async () => {
    plant();
    const refusal: Failure = { code: 'forbidden', message: 'The person belongs to no party.' };
    world.actions.v2.endings.push({ kind: 'refused', failure: refusal });
    world.actions.v2.endings.push({ kind: 'not-sent', failure: lost });
    await expect(reject()).rejects.toMatchObject({ failure: refusal });
    await expect(reject()).rejects.toMatchObject({ failure: lost });
    expect(await endings()).toMatchObject([
      { outcome: 'refused', known: 'answer', failure: refusal.message },
      { outcome: 'not-done', known: 'program' },
    ]);
  });

  it('states an unknown outcome after a lost answer, and is completed by a later reading', async () => {
    plant();
    world.actions.v2.endings.push(unknown);
    expect(await reject()).toMatchObject({ outcome: 'unknown' });
    expect(await endings()).toMatchObject([{ outcome: 'unknown' }]);
    commit();
    await lookAgain(desk);
    expect((await endings()).at(-1)).toMatchObject({ outcome: 'done', known: 'read' });
    expect(sent()).toHaveLength(1);
  });

  it('does not count a rejection by another person as the user’s own', async () => {
    plant();
    world.actions.v2.endings.push(unknown);
    await reject();
    onService({ state: 'rejected', parties: [company({ state: 'rejected' }), person()] });
    await lookAgain(desk);
    expect((await endings()).map(({ outcome }) => outcome)).toEqual(['unknown']);
  });

  it('shows the first try as not carried out when the service accepts the second', async () => {
    plant();
    world.actions.v2.endings.push(unknown);
    await reject();
    world.actions.v2.commit = commit;
    expect(await reject()).toMatchObject({ outcome: 'done' });
    expect((await endings()).slice(1)).toMatchObject([
      { intent: 3, outcome: 'done', known: 'answer' },
      { intent: 1, outcome: 'not-done', known: 'read' },
    ]);
  });

  it('shows the first try as carried out when the service refuses the second as already done', async () => {
    plant();
    world.actions.v2.endings.push(unknown);
    await reject();
    const failure: Failure = { code: 'forbidden', message: 'It is REJECTED already.' };
    world.actions.v2.endings.push({ kind: 'refused', failure });
    world.actions.v2.commit = commit;
    expect(await reject()).toMatchObject({ outcome: 'done', wasAlready: true });
    expect((await endings()).slice(1)).toMatchObject([
      { intent: 3, outcome: 'refused' },
      { intent: 1, outcome: 'done', known: 'read' },
    ]);
  });

  it('that cannot be stored stops the request', async () => {
    plant();
    const { append } = world.stores.evidence;
    world.stores.evidence.append = () => {
      throw new Error('The disk is full');
    };
    await expect(reject()).rejects.toThrow();
    world.stores.evidence.append = append;
    expect(sent()).toEqual([]);
    expect(world.stores.actions.list({}, 0)).toMatchObject([{ state: 'refused' }]);
  });

  it('does not exist for an agreement without actions, which has no statement', async () => {
    await expect(
      desk.api['evidence.statement']({ ...key(), file: '/documents/none.pdf' }),
    ).rejects.toMatchObject({
      failure: { code: 'not-found', message: 'There is no evidence for this agreement' },
    });
  });

  it('names no person when several share one number', async () => {
    plant({ parties: [person(), person({ id: 'private-2', name: 'Åsa Öberg' })] });
    world.actions.v2.extrasOfAll = extrasOf(null, { 'private-1': [], 'private-2': [] });
    const { parties } = world.actions.v2.extrasOfAll;
    const numbered = parties.map((one) => ({ ...one, personNumber: '19900101-••••' }));
    world.actions.v2.extrasOfAll = { ...world.actions.v2.extrasOfAll, parties: numbered };
    await reject();
    expect((await facts())[0]).toMatchObject({
      party: { id: '', name: '18900101••••' },
    });
  });

  it('is kept when the connection and its agreements are removed', async () => {
    plant();
    await reject();
    const before = await facts();
    const removal = { agreements: 'delete', drafts: 'delete' } as const;
    await desk.api['connections.remove']({ id: connectionId, ...removal });
    expect(await facts()).toEqual(before);
  });

  it('is included in the evidence table and in the statement', async () => {
    plant();
    await reject();
    await desk.api['evidence.export']({ file: '/documents/evidence.csv', form: 'csv' });
    const table = textOf(world.files.saved.get('/documents/evidence.csv') ?? new Uint8Array());
    expect(table).toContain('about to reject');
    expect(table).toContain('rejection ended');
    expect(table).toContain('18900101••••');
    const { parts } = statementOf(await entries(), await desk.api['evidence.verify']({}), 0);
    expect(parts.map(({ heading }) => heading)).toEqual([
      ...['Agreement', '1. About to reject', '2. Rejection ended', 'Evidence log'],
    ]);
    expect(parts[1]?.rows).toContainEqual(['Named in the request', '18900101••••']);
    expect(parts[2]?.rows).toContainEqual(['Outcome', 'done: the service confirmed it']);
    const file = '/documents/evidence.pdf';
    const written = await desk.api['evidence.statement']({ ...key(), file });
    expect(written).toMatchObject({ file, entries: 2 });
  });
});

/** Wraps the stores and the service so that the process ends at a step, and then has no effect. */
function mortal(of: World, steps: number) {
  let passed = 0;
  const pass = (): void => {
    passed += 1;
    if (passed > steps) throw new Error('The process was killed');
  };
  const around =
    <Given extends unknown[], Result>(work: (...given: Given) => Result) =>
    (...given: Given): Result => {
      pass();
      const result = work(...given);
      pass();
      return result;
    };
  const { actions, evidence } = of.stores;
  const stores = {
    ...of.stores,
    actions: { ...actions, insert: around(actions.insert), move: around(actions.move) },
    evidence: { ...evidence, append: around(evidence.append) },
  };
  const sides = of.actions;
  const arrive = sides.v2.reject;
  sides.v2.reject = async (...request) => {
    pass();
    const result = await arrive(...request);
    pass();
    return result;
  };
  const revive = (): void => void (sides.v2.reject = arrive);
  return { process: { ...of, stores }, passed: () => passed, revive };
}

describe.each([
  ['is done', { isDone: true, ending: 'done' }],
  ['is done but loses its answer', { isDone: true, ending: unknown }],
  ['is lost before the service receives it', { isDone: false, ending: unknown }],
] as const)('a rejection that %s, killed at every step', (_name, { isDone, ending }) => {
  async function dieAfter(steps: number) {
    world = createWorld();
    connectionId = (await addConnection(startMemoryDesk(world), 'v2')).id;
    plant();
    world.actions.v2.endings.push(ending);
    if (isDone) world.actions.v2.commit = commit;
    const { process, passed, revive } = mortal(world, steps);
    const [outcome] = await Promise.allSettled([rejectOn(startMemoryDesk(process), asPerson)]);
    revive();
    return { outcome, passed: passed() };
  }

  it('leaves the intent of each sent request in the evidence, and records no false outcome (T2-62)', async () => {
    const whole = await dieAfter(Number.POSITIVE_INFINITY);
    expect(whole.passed).toBeGreaterThan(8);
    const seen = new Set<string>();
    for (let steps = 0; steps < whole.passed; steps += 1) {
      await dieAfter(steps);
      const later = restart();
      const at = `killed after ${steps} steps`;
      const [intent] = await facts(later);
      const isSent = sent().length > 0;
      if (isSent) expect(intent, at).toMatchObject({ kind: 'intended', act: 'reject' });
      await lookAgain(later);
      const last = (await endings(later)).at(-1);
      const isCommitted = remoteNow().state === 'rejected';
      // If the process ended between the claim and the request, the request may have been sent.
      const wanted = isCommitted ? ['done'] : isSent ? ['unknown'] : ['unknown', 'not-done'];
      if (intent === undefined) expect(last, at).toBeUndefined();
      else expect(wanted, at).toContain(last?.outcome);
      seen.add(String(last?.outcome));
      expect(sent().length, at).toBeLessThan(2);
      expect(await later.api['evidence.verify']({}), at).toMatchObject({ chain: 'ok' });
    }
    expect(seen).toContain(isDone ? 'done' : 'unknown');
    expect(seen).toContain('not-done');
  });
});
