import type {
  HeldReminder,
  PlannedReminder,
  ReminderHoldReason,
  ReminderRule,
  ReminderRuleDraft,
  ReminderRuleId,
} from '../../../shared/contract/reminders.ts';
import { countryOfZone } from '../../../shared/rules/time/holidays.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { refusalOf } from '../../window/refusal.ts';

/** A rule as it is being written; without an id until it is saved. */
export interface RuleForm extends ReminderRuleDraft {
  readonly id?: ReminderRuleId;
}

/** The rules by which parties are reminded, the one that is being written, and what one would do. */
class Reminders {
  readonly list = new Loaded(() => api['reminders.rules']({}));
  form = $state<RuleForm | null>(null);
  /** The rule that is tried. */
  tried = $state.raw<ReminderRule | null>(null);
  /** Null until a person chooses another day than tomorrow. */
  day = $state<string | null>(null);
  readonly preview = new Loaded(() =>
    api['reminders.preview']({
      ...(this.day !== null && { day: this.day }),
      ...(this.tried !== null && { ruleId: this.tried.id }),
    }),
  );

  constructor() {
    on('reminders.changed', () => {
      void this.list.renew();
      if (this.tried !== null) void this.preview.renew();
    });
  }

  begin(): void {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    this.form = {
      name: '',
      isOn: true,
      filter: { ownOnly: true },
      firstAfterDays: 5,
      everyDays: 3,
      most: 3,
      hours: { zone, from: '09:00', to: '16:00' },
      country: countryOfZone(zone) ?? 'SE',
    };
  }

  edit({ createdAt: _, ...rule }: ReminderRule): void {
    this.form = rule;
  }

  /** Null once it is saved; else why it is not, and what was written stays. */
  async save(): Promise<string | null> {
    const { form } = this;
    if (form === null) return null;
    const refusal = await refusalOf(() => api['reminders.saveRule']($state.snapshot(form)));
    if (refusal === null) this.form = null;
    return refusal;
  }

  async remove(id: ReminderRuleId): Promise<void> {
    await activity.attempt(() => api['reminders.removeRule']({ id }));
  }

  async switch(id: ReminderRuleId, isOn: boolean): Promise<void> {
    await activity.attempt(() => api['reminders.switchRule']({ id, isOn }));
  }

  try(rule: ReminderRule): void {
    this.tried = rule;
    this.day = null;
    this.preview.value = null;
    void this.preview.refresh();
  }

  showDay(day: string): void {
    this.day = day;
    void this.preview.refresh();
  }

  async hold(one: PlannedReminder, because: ReminderHoldReason): Promise<void> {
    const { connectionId, id } = one;
    const partyId = because === 'bounced' ? one.partyId : null;
    await activity.attempt(() => api['reminders.hold']({ connectionId, id, partyId, because }));
  }

  /** Of the party and of its whole agreement, whichever is held. */
  async release({ connectionId, id, partyId }: HeldReminder): Promise<void> {
    await activity.attempt(async () => {
      await api['reminders.release']({ connectionId, id, partyId: null });
      await api['reminders.release']({ connectionId, id, partyId });
    });
  }
}

export const reminders = new Reminders();
