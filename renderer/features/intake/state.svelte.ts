import type { IntakeRule, IntakeRuleDraft, IntakeRuleId } from '../../../shared/contract/intake.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { refusalOf } from '../../window/refusal.ts';

/** A rule as it is being written; without an id until it is saved. */
interface IntakeForm extends IntakeRuleDraft {
  readonly id?: IntakeRuleId;
}

/** The folders that are watched, the rule that is being written, and what one would do. */
class Intake {
  readonly list = new Loaded(() => api['intake.rules']({}));
  form = $state<IntakeForm | null>(null);
  /** The rule that is tried. */
  tried = $state.raw<IntakeRule | null>(null);
  readonly preview = new Loaded(async () =>
    this.tried === null ? null : api['intake.preview']({ id: this.tried.id }),
  );

  constructor() {
    on('intake.changed', () => {
      void this.list.renew();
      if (this.tried !== null) void this.preview.renew();
    });
  }

  begin(): void {
    this.form = {
      name: '',
      folder: '',
      isOn: true,
      api: 'v1',
      connectionId: null,
      templateId: null,
      needsData: false,
    };
  }

  edit({ createdAt: _, ...rule }: IntakeRule): void {
    this.form = rule;
  }

  /** Null once it is saved; else why it is not, and what was written stays. */
  async save(): Promise<string | null> {
    const { form } = this;
    if (form === null) return null;
    const refusal = await refusalOf(() => api['intake.saveRule']($state.snapshot(form)));
    if (refusal === null) this.form = null;
    return refusal;
  }

  async remove(id: IntakeRuleId): Promise<void> {
    await activity.attempt(() => api['intake.removeRule']({ id }));
  }

  async switch(id: IntakeRuleId, isOn: boolean): Promise<void> {
    await activity.attempt(() => api['intake.switchRule']({ id, isOn }));
  }

  async run(id: IntakeRuleId): Promise<void> {
    await activity.attempt(() => api['intake.runRule']({ id }));
  }

  try(rule: IntakeRule): void {
    this.tried = rule;
    this.preview.value = null;
    void this.preview.refresh();
  }
}

export const intake = new Intake();
