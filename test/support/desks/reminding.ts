import { ActionsResult } from '../../../shared/contract/actions.ts';
import type { ReminderRuleDraft } from '../../../shared/contract/reminders.ts';
import { AgreementId, type AgreementKey, type ConnectionId } from '../../../shared/model/ids.ts';
import type { Party, RemoteAgreement } from '../../../shared/model/agreement.ts';
import { instantsOf, STOCKHOLM } from '../../../shared/rules/time/days.ts';
import { extrasOf, notificationOf } from '../fakes/fake-actions.ts';
import { pageOf, partyOf, remoteOf } from '../fakes/fake-service.ts';
import type { MemoryDesk, World } from '../fakes/memory-desk.ts';

/** Instant of a Stockholm local time. */
export function at(wall: string): number {
  const [instant] = instantsOf(wall, STOCKHOLM);
  if (instant === undefined) throw new Error(`There is no ${wall}`);
  return instant;
}

/** A rule that reminds after three days, then every other day, three times, from nine to four. */
export const ruleOf = (change: Partial<ReminderRuleDraft> = {}): ReminderRuleDraft => ({
  name: 'Usual',
  isOn: true,
  filter: { ownOnly: false },
  firstAfterDays: 3,
  everyDays: 2,
  most: 3,
  hours: { zone: STOCKHOLM, from: '09:00', to: '16:00' },
  country: 'SE',
  ...change,
});

/** A party whose turn it is. */
export const personOf = (change: Partial<Party>): Party =>
  partyOf({ kind: 'person', orgNo: null, apiSigning: null, ...change });

/** Agreements of one v1 connection, on the service of a world and in the program's copies. */
export class Remindables {
  readonly #world: World;
  readonly connectionId: ConnectionId;

  constructor(world: World, connectionId: ConnectionId) {
    this.#world = world;
    this.connectionId = connectionId;
  }

  key(id: string): AgreementKey {
    return { connectionId: this.connectionId, id: AgreementId.parse(id) };
  }

  /** Adds an agreement with one party, `p-<id>`, whose turn it is and who was invited by email. */
  plant(id: string, change: Partial<RemoteAgreement> = {}): void {
    const party = personOf({ id: `p-${id}`, email: `${id}@example.com` });
    this.tell(remoteOf({ id, title: `Lease ${id}`, parties: [party], ...change }));
    this.copy();
  }

  /** Changes an agreement on the service; the program's copy follows with the next reading. */
  tell(remote: RemoteAgreement): void {
    const { services, actions } = this.#world;
    services.v1.agreements.set(remote.id, remote);
    const invited = (remote.parties ?? []).map(
      (party) => [party.id, [notificationOf({ id: `n-${party.id}` })]] as const,
    );
    const before = actions.v1.extrasOfAll.parties;
    const more = extrasOf('"1"', Object.fromEntries(invited)).parties;
    const others = before.filter((one) => !more.some(({ id }) => id === one.id));
    actions.v1.extrasOfAll = { ...actions.v1.extrasOfAll, parties: [...others, ...more] };
    this.list();
  }

  /** Lists the agreements on the service, with the current time. */
  list(): void {
    const { services, clock } = this.#world;
    const all = [...services.v1.agreements.values()].flatMap((one) =>
      one instanceof Error ? [] : [one],
    );
    services.v1.pages = [pageOf(all, clock.now())];
  }

  copy(): void {
    const { services, stores, clock } = this.#world;
    const [page] = services.v1.pages;
    stores.agreements.put(this.connectionId, 'v1', page?.items ?? [], clock.now());
  }

  /** Moves the clock of the program and the service. */
  goTo(wall: string): void {
    this.#world.clock.leap(at(wall) - this.#world.clock.now());
    this.list();
  }
}

/** Runs the rules that are due now. */
export async function remindDue(desk: MemoryDesk): Promise<ActionsResult> {
  const { jobId } = await desk.api['reminders.run']({});
  const job = await desk.finish(jobId);
  if (job.failure !== null) throw new Error(job.failure.message);
  return ActionsResult.parse(job.result);
}
