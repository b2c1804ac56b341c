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
  /** Time from which all parties count as reminded; null if the journal of actions is complete. */
  readonly countsFrom: number | null;
}

export interface ReminderRuleStore extends RuleStore<
  ReminderRuleId,
  ReminderRule,
  StoredReminderRule
> {
  noteRun(id: ReminderRuleId, run: ReminderRun, failures: number): void;
  /** The user allowed it to continue; `countsFrom` null keeps the stored value. */
  restart(id: ReminderRuleId, countsFrom: number | null): void;
}

/** An API v1 agreement that can still be signed, from its local copy. */
export interface OpenAgreement extends RuleSubject {
  readonly id: AgreementId;
  /** Position in the reading order. */
  readonly number: number;
  readonly title: string;
  readonly createdAt: number | null;
  readonly sentAt: number | null;
  /** By any of the parties. */
  readonly lastSignedAt: number | null;
  readonly expiresAt: number | null;
  /** Null until the service returned them. */
  readonly parties: readonly Party[] | null;
  readonly access: AgreementAccess | null;
}

/** Time when a party was or may have been reminded by any computer of the office. */
export interface PastReminder {
  readonly connectionId: ConnectionId;
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly at: number;
}

/** Further facts about a party; the whole agreement is the party ''. */
export interface ReminderNote {
  readonly connectionId: ConnectionId;
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly hold: ReminderHoldReason | null;
  readonly addressHash: string | null;
  readonly triedAt: number | null;
  readonly tries: number;
  /** The service's own reminder times; null until requested. */
  readonly serviceTimes: readonly number[] | null;
}

export interface ReminderStore {
  readonly rules: ReminderRuleStore;
  /** Up to `limit` open agreements with number > `after`, ascending. */
  open(after: number, limit: number): readonly OpenAgreement[];
  /** Open agreements of API v2, by connection. */
  openOfV2(): readonly { readonly connectionId: ConnectionId; readonly agreements: number }[];
  /** Reminders of all open agreements, or of one. Includes those that may have been sent. */
  reminded(key?: AgreementKey): readonly PastReminder[];
  /** Notes of all open agreements, or of one. */
  notes(key?: AgreementKey): readonly ReminderNote[];
  /** Null removes the hold. */
  setHold(
    key: AgreementKey,
    partyId: string,
    hold: ReminderHoldReason | null,
    addressHash: string | null,
  ): void;
  /** Records a failed attempt; null after success. */
  setTried(key: AgreementKey, partyId: string, at: number | null): void;
  setServiceTimes(key: AgreementKey, partyId: string, times: readonly number[]): void;
}
