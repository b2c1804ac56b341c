import type {
  ReminderHoldReason,
  ReminderRule,
  ReminderRuleId,
  ReminderRun,
} from '../../../shared/contract/reminders.ts';
import type { AgreementAccess, Party } from '../../../shared/model/agreement.ts';
import type { AgreementId, AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { RuleSubject } from '../../../shared/rules/reminders/match.ts';
import type { RuleStore } from '../rules/ports.ts';

export interface StoredReminderRule {
  readonly rule: ReminderRule;
  readonly last: ReminderRun | null;
  readonly failures: number;
  /**
   * Time at which all parties count as having been reminded; null if the journal of actions is
   * complete.
   */
  readonly countsFrom: number | null;
}

export interface ReminderRuleStore extends RuleStore<
  ReminderRuleId,
  ReminderRule,
  StoredReminderRule
> {
  noteRun(id: ReminderRuleId, run: ReminderRun, failures: number): void;
  /**
   * Lets a paused rule continue, as the user has allowed; `countsFrom` null keeps the stored value.
   */
  restart(id: ReminderRuleId, countsFrom: number | null): void;
}

/** An API v1 agreement that can still be signed, as in its local copy. */
export interface OpenAgreement extends RuleSubject {
  readonly id: AgreementId;
  /** Position in the reading order. */
  readonly number: number;
  readonly title: string;
  readonly createdAt: number | null;
  readonly sentAt: number | null;
  /** Time of the last signature by any party (epoch ms). */
  readonly lastSignedAt: number | null;
  readonly expiresAt: number | null;
  /** Parties of the agreement; null until the service has returned them. */
  readonly parties: readonly Party[] | null;
  readonly access: AgreementAccess | null;
}

/** Time at which a party was or may have been reminded by any computer of the office. */
export interface PastReminder {
  readonly connectionId: ConnectionId;
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly at: number;
}

/** Further facts about a party; `partyId` is '' for the whole agreement. */
export interface ReminderNote {
  readonly connectionId: ConnectionId;
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly hold: ReminderHoldReason | null;
  readonly addressHash: string | null;
  readonly triedAt: number | null;
  readonly tries: number;
  /** The service's own reminder times; null until they were requested. */
  readonly serviceTimes: readonly number[] | null;
}

export interface ReminderStore {
  readonly rules: ReminderRuleStore;
  /** Returns up to `limit` open agreements with a `number` above `after`, in ascending order. */
  open(after: number, limit: number): readonly OpenAgreement[];
  /** Returns the number of open agreements of API v2 for each connection. */
  openOfV2(): readonly { readonly connectionId: ConnectionId; readonly agreements: number }[];
  /**
   * Returns the reminders of all open agreements, or of one; includes reminders that may have been
   * sent.
   */
  reminded(key?: AgreementKey): readonly PastReminder[];
  /** Returns the notes of all open agreements, or of one. */
  notes(key?: AgreementKey): readonly ReminderNote[];
  /** Sets the hold of a party; null removes it. */
  setHold(
    key: AgreementKey,
    partyId: string,
    hold: ReminderHoldReason | null,
    addressHash: string | null,
  ): void;
  /** Records the time of a failed attempt; null after a success. */
  setTried(key: AgreementKey, partyId: string, at: number | null): void;
  setServiceTimes(key: AgreementKey, partyId: string, times: readonly number[]): void;
}
