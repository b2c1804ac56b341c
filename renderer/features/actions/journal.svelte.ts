import type { ActionRow } from '../../../shared/contract/actions.ts';
import { api, on } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { details } from './details.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** Actions on the shown agreement from this computer, including those with an unknown outcome. */
class ActionJournal {
  readonly #stored = new Loaded(() => this.#read());
  readonly rows: readonly ActionRow[] = $derived(
    (this.#stored.value ?? []).filter(
      ({ connectionId, agreementId }) =>
        connectionId === details.key?.connectionId && agreementId === details.key.id,
    ),
  );
  readonly unknown = $derived(this.rows.filter(({ state }) => state === 'unknown'));

  /** The newest action of each kind and party that the office blocked within the last day. */
  readonly held = $derived(
    this.rows.filter(
      (row, at) =>
        isHeld(row) &&
        row.createdAt > Date.now() - DAY &&
        !this.rows.slice(0, at).some((newer) => targetOf(newer) === targetOf(row)),
    ),
  );

  constructor() {
    on('actions.changed', ({ connectionId }) => {
      if (connectionId === details.key?.connectionId) void this.refresh();
    });
  }

  async refresh(): Promise<void> {
    const before = this.unknown.length;
    await this.#stored.refresh();
    // A sync, too, can find the outcome of an action.
    if (before > 0 && this.unknown.length === 0) activity.resolve('actions.look');
  }

  /** Time of the last reminder request for this party (epoch ms). */
  remindedAt(partyId: string): number | null {
    const last = this.rows.find(
      (row) => row.kind === 'remind' && row.partyId === partyId && row.state === 'done',
    );
    return last?.updatedAt ?? null;
  }

  /** Time of the last known share from this computer (epoch ms). */
  get sharedAt(): number | null {
    const last = this.rows.find(
      ({ kind, state }) => kind === 'share' && (state === 'done' || state === 'unknown'),
    );
    return last?.updatedAt ?? null;
  }

  /** Reads the outcome of an action from the service; changes nothing on the service. */
  async reconcile({ actionId }: ActionRow): Promise<void> {
    await activity.attempt(async () => {
      const { state } = await api['actions.look']({ actionId });
      if (state === 'done') activity.notify(m.looked_done);
      else if (state === 'refused') activity.warn(m.looked_refused);
      else activity.warn(m.looked_unknown, null, 'actions.look');
    }, 'actions.look');
    await this.refresh();
  }

  async #read(): Promise<readonly ActionRow[]> {
    const { key } = details;
    if (key === null) return [];
    return api['actions.list']({ connectionId: key.connectionId, agreementId: key.id });
  }
}

const isHeld = ({ state, failure }: ActionRow): boolean =>
  state === 'refused' &&
  (failure?.reason === 'claimed-elsewhere' || failure?.reason === 'unsettled-elsewhere');

const targetOf = ({ kind, partyId, notificationId }: ActionRow): string =>
  JSON.stringify([kind, partyId, notificationId]);

export const journal = new ActionJournal();
