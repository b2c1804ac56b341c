import type {
  HeldReminder,
  PlannedReminder,
  ReminderHoldReason,
  ReminderRule,
  ReminderRuleDraft,
  ReminderRuleId,
  ReminderRuleView,
} from '../../../shared/contract/reminders.ts';
import { countryOfZone } from '../../../shared/rules/time/holidays.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { RuleBook } from '../../window/rule-book.svelte.ts';

/** A rule being edited; has no id until it is saved. */
export interface RuleForm extends ReminderRuleDraft {
  readonly id?: ReminderRuleId;
}

/** Name of a rule without a name in a preview, because each rule needs a name. */
const NO_NAME = '–';

class Reminders extends RuleBook<ReminderRuleId, ReminderRuleView, RuleForm> {
  tried = $state.raw<ReminderRule | null>(null);
  /** Day of the preview; null for tomorrow. */
  day = $state<string | null>(null);
  readonly preview = new Loaded(() =>
    api['reminders.preview']({
      ...(this.day !== null && { day: this.day }),
      ...(this.tried !== null && { ruleId: this.tried.id }),
    }),
  );
  /** Result for today of the rule being edited; null while its office hours are not valid. */
  readonly forecast = new Loaded(async () => {
    if (this.draft === null || this.draft.hours.from >= this.draft.hours.to) return null;
    const { id, ...rule } = $state.snapshot(this.draft);
    return api['reminders.preview']({
      day: dayOf(Date.now(), rule.hours.zone),
      ...(id !== undefined && { ruleId: id }),
      rule: { ...rule, name: rule.name.trim() || NO_NAME },
    });
  });

  constructor() {
    super({
      list: () => api['reminders.rules']({}),
      save: (draft) => api['reminders.saveRule']($state.snapshot(draft)),
      switch: (id, isOn) => api['reminders.switchRule']({ id, isOn }),
      remove: (id) => api['reminders.removeRule']({ id }),
    });
    on('reminders.changed', () => {
      void this.list.renew();
      if (this.tried !== null) void this.preview.renew();
    });
  }

  begin(): void {
    this.forecast.reset();
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    this.draft = {
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
    this.forecast.reset();
    this.draft = rule;
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

  /** Releases the hold on the party, or on its whole agreement. */
  async release({ connectionId, id, partyId }: HeldReminder): Promise<void> {
    await activity.attempt(async () => {
      await api['reminders.release']({ connectionId, id, partyId: null });
      await api['reminders.release']({ connectionId, id, partyId });
    });
  }
}

export const reminders = new Reminders();
