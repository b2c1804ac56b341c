import type { ChangeOutcome, NewRecipient } from '../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { Party } from '../../../shared/model/agreement.ts';
import { formatV2Time } from '../../../shared/rules/time/wire-time.ts';
import { type About, aboutAgreement, aboutNothing } from '../../ui/dialogs/about.ts';
import { correctionText } from './words.ts';
import { recipientsText } from '../../ui/notification-words.ts';
import { api } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { details } from './details.svelte.ts';
import { extras } from './extras.svelte.ts';
import type { NotificationPlace } from './asks.svelte.ts';

/** One value as the user wanted it and as the service has it now. */
interface Difference {
  readonly name: string;
  readonly wanted: string;
  readonly now: string;
}

/**
 * Values of an agreement that someone else changed on the service before the user's change. `again`
 * applies the user's change to the new values; null if it cannot be applied.
 */
export interface Conflict {
  readonly about: About;
  readonly differences: readonly Difference[];
  readonly again: (() => Promise<void>) | null;
}

interface Deadlines {
  readonly expiresAt?: number;
  readonly deletesAt?: number;
}

type ChangedOutcome = Extract<ChangeOutcome, { outcome: 'changed' }>;

/** Returns the date in the time zone in which it was entered. */
const dateOf = (instant: number | null): string =>
  instant === null
    ? m.changed_none()
    : m.changed_time({ time: formatV2Time(instant).slice(0, 16) });

/** Changes based on the version the user saw; they stop if the service has a newer one. */
class AgreementChanges {
  conflict = $state.raw<Conflict | null>(null);
  isAsking = $state(false);
  busy = $state(false);

  change(key: AgreementKey, wanted: Deadlines, etag = extras.shown?.etag): Promise<void> {
    return this.#attempt(async () => {
      const outcome = await api['actions.change']({ key, ...wanted, ...versionOf(etag) });
      if (outcome.outcome === 'unknown')
        return activity.warn(m.result_unknown_here, null, 'actions.look');
      if (outcome.outcome === 'done') return activity.notify(m.deadlines_done);
      return this.#stop(outcome, deadlineDifferences(wanted, outcome), (fresh) =>
        this.change(key, wanted, fresh),
      );
    });
  }

  correctEmail(
    key: AgreementKey,
    party: Party,
    wanted: { readonly address: string; readonly notify: boolean },
    etag = extras.shown?.etag,
  ): Promise<void> {
    return this.#attempt(async () => {
      const input = { key, partyId: party.id, ...wanted, ...versionOf(etag) };
      const outcome = await api['actions.correctEmail'](input);
      if (outcome.outcome === 'unknown')
        return activity.warn(m.result_unknown_here, null, 'actions.look');
      if (outcome.outcome === 'done') {
        const { notice } = outcome;
        const words = (): string => correctionText(party.name, notice);
        const isHalf = notice.state === 'failed' || notice.state === 'unknown';
        return isHalf ? activity.warn(words) : activity.notify(words);
      }
      const now = outcome.fresh?.parties?.find(({ id }) => id === party.id)?.email;
      const difference = {
        name: m.changed_email({ name: party.name }),
        wanted: wanted.address,
        now: now ?? m.changed_none(),
      };
      return this.#stop(outcome, [difference], (fresh) =>
        this.correctEmail(key, party, wanted, fresh),
      );
    });
  }

  replaceRecipients(
    place: NotificationPlace,
    recipients: readonly NewRecipient[],
    etag = place.etag,
  ): Promise<void> {
    return this.#attempt(async () => {
      const outcome = await api['actions.replaceRecipients']({
        ...namesOfNotification(place),
        ...versionOf(etag),
        recipients: [...recipients],
        nobody: recipients.length === 0,
      });
      if (outcome.outcome === 'unknown')
        return activity.warn(m.result_unknown_here, null, 'actions.look');
      if (outcome.outcome === 'done') return activity.notify(m.recipients_done);
      const difference = {
        name: m.changed_recipients(),
        wanted: recipientsText(recipients),
        now: currentRecipientsText(outcome.notification?.recipients),
      };
      return this.#stop(outcome, [difference], (fresh) =>
        this.replaceRecipients(place, recipients, fresh),
      );
    });
  }

  /**
   * Reads a notification of a party before a change. Returns null after a failure, which is
   * announced.
   */
  async readPlace(
    key: AgreementKey,
    party: Party,
    notificationId: string,
  ): Promise<NotificationPlace | null> {
    let place: NotificationPlace | null = null;
    await activity.attempt(async () => {
      const read = await api['actions.notification']({ key, partyId: party.id, notificationId });
      const notification = { ...read.notification, id: notificationId };
      place = { key, party, notification, etag: read.etag };
    });
    return place;
  }

  silence(place: NotificationPlace, etag = place.etag): Promise<void> {
    return this.#attempt(async () => {
      const input = { ...namesOfNotification(place), ...versionOf(etag) };
      const outcome = await api['actions.silence'](input);
      if (outcome.outcome === 'unknown')
        return activity.warn(m.result_unknown_here, null, 'actions.look');
      if (outcome.outcome === 'done') return activity.notify(m.silence_done);
      const difference = {
        name: m.changed_recipients(),
        wanted: m.changed_off(),
        now: currentRecipientsText(outcome.notification?.recipients),
      };
      return this.#stop(outcome, [difference], (fresh) => this.silence(place, fresh));
    });
  }

  /** Shows both versions; the user's change is applied again only if the user chooses so. */
  #stop(
    { etag }: Pick<ChangedOutcome, 'etag'>,
    differences: readonly Difference[],
    again: (etag: string) => Promise<void>,
  ): void {
    // While a change runs, its agreement stays shown.
    const about = details.shown === null ? aboutNothing : aboutAgreement(details.shown);
    this.conflict = { about, differences, again: etag === null ? null : () => again(etag) };
    this.isAsking = true;
    activity.notify(m.changed_said);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.conflict = null;
    await activity.attempt(work);
    this.busy = false;
    await Promise.all([details.reload(), extras.read()]);
  }
}

/**
 * Returns the known version as an argument. Without a known version it is empty, and the newest
 * version is read before the change.
 */
const versionOf = (etag: string | null | undefined): { etag?: string } =>
  etag === null || etag === undefined ? {} : { etag };

const namesOfNotification = ({ key, party, notification }: NotificationPlace) => ({
  key,
  partyId: party.id,
  notificationId: notification.id,
});

const currentRecipientsText = (
  recipients: Parameters<typeof recipientsText>[0] | undefined,
): string => (recipients === undefined ? m.changed_gone() : recipientsText(recipients));

function deadlineDifferences(wanted: Deadlines, { fresh }: ChangedOutcome): readonly Difference[] {
  const rows = [
    { name: m.deadlines_expires(), wanted: wanted.expiresAt, now: fresh?.expiresAt },
    { name: m.deadlines_deletes(), wanted: wanted.deletesAt, now: fresh?.deletesAt },
  ];
  return rows.flatMap(({ name, wanted: mine, now }) =>
    mine === undefined
      ? []
      : [{ name, wanted: dateOf(mine), now: now === undefined ? m.changed_unread() : dateOf(now) }],
  );
}

export const changes = new AgreementChanges();
