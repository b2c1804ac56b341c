import type {
  ReminderHoldReason,
  ReminderRule,
  ReminderRuleId,
  ReminderRun,
} from '../../../shared/contract/reminders.ts';
import type { AgreementAccess, Party } from '../../../shared/model/agreement.ts';
import type { AgreementId, AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { Matched } from '../../../shared/rules/reminders/match.ts';
import type { RuleStore } from '../rules/ports.ts';

/** A rule with what became of it. */
export interface StoredReminderRule {
  readonly rule: ReminderRule;
  readonly last: ReminderRun | null;
  /** In a row. */
  readonly failures: number;
  /** When everybody counts as reminded; null where the book of actions tells all. */
  readonly countsFrom: number | null;
}

export interface ReminderRuleStore extends RuleStore<
  ReminderRuleId,
  ReminderRule,
  StoredReminderRule
> {
  noteRun(id: ReminderRuleId, run: ReminderRun, failures: number): void;
  /** A person said that it may go on; `countsFrom` null leaves it as it is. */
  restart(id: ReminderRuleId, countsFrom: number | null): void;
}

/** An agreement of API v1 that can still be signed, as its copy here has it. */
export interface OpenAgreement extends Matched {
  readonly id: AgreementId;
  /** Its place in the order in which they are read. */
  readonly number: number;
  readonly title: string;
  readonly createdAt: number | null;
  readonly sentAt: number | null;
  /** By any of the parties. */
  readonly lastSignedAt: number | null;
  readonly expiresAt: number | null;
  /** Null until the service gave them. */
  readonly parties: readonly Party[] | null;
  readonly access: AgreementAccess | null;
}

/** When a party was reminded, or may have been, by this desk or another one of its office. */
export interface PastReminder {
  readonly connectionId: ConnectionId;
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly at: number;
}

/** What is known of a party beside that; the whole agreement is the party ''. */
export interface ReminderNote {
  readonly connectionId: ConnectionId;
  readonly agreementId: AgreementId;
  readonly partyId: string;
  readonly hold: ReminderHoldReason | null;
  readonly addressHash: string | null;
  readonly triedAt: number | null;
  readonly tries: number;
  /** When the service itself reminds; null until it was asked. */
  readonly serviceTimes: readonly number[] | null;
}

export interface ReminderStore {
  readonly rules: ReminderRuleStore;
  /** So many with a larger number than `after`, by number. */
  open(after: number, limit: number): readonly OpenAgreement[];
  /** Open agreements of API v2, by connection. */
  openOfV2(): readonly { readonly connectionId: ConnectionId; readonly agreements: number }[];
  /** All of the agreements that are open, or all of one. Whatever may have left is among them. */
  reminded(key?: AgreementKey): readonly PastReminder[];
  /** All of the agreements that are open, or all of one. */
  notes(key?: AgreementKey): readonly ReminderNote[];
  /** Null takes it away. */
  setHold(
    key: AgreementKey,
    partyId: string,
    hold: ReminderHoldReason | null,
    addressHash: string | null,
  ): void;
  /** It failed once more; null when it was done. */
  setTried(key: AgreementKey, partyId: string, at: number | null): void;
  setServiceTimes(key: AgreementKey, partyId: string, times: readonly number[]): void;
}
