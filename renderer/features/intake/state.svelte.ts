import type {
  IntakeRule,
  IntakeRuleDraft,
  IntakeRuleId,
  IntakeRuleView,
} from '../../../shared/contract/intake.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { RuleBook } from '../../window/rule-book.svelte.ts';

/** A rule being edited; has no id until it is saved. */
interface IntakeForm extends IntakeRuleDraft {
  readonly id?: IntakeRuleId;
}

/** Start of a path that names a server, as in `\\server\share`. */
const NETWORK_FOLDER = /^[\\/]{2}/;

class Intake extends RuleBook<IntakeRuleId, IntakeRuleView, IntakeForm> {
  tried = $state.raw<IntakeRule | null>(null);
  readonly preview = new Loaded(async () =>
    this.tried === null ? null : api['intake.preview']({ id: this.tried.id }),
  );
  /**
   * Result of the rule being edited for the files that are in its folder now; null while the form
   * has no folder.
   */
  readonly forecast = new Loaded(async () => {
    if (this.draft === null) return null;
    const { folder, api: way, connectionId, templateId, needsData } = this.draft;
    // The host asks the user before each use of a network folder.
    if (folder.trim() === '' || NETWORK_FOLDER.test(folder)) return null;
    return api['intake.preview']({ folder, api: way, connectionId, templateId, needsData });
  });

  constructor() {
    super({
      list: () => api['intake.rules']({}),
      save: (draft) => api['intake.saveRule']($state.snapshot(draft)),
      switch: (id, isOn) => api['intake.switchRule']({ id, isOn }),
      remove: (id) => api['intake.removeRule']({ id }),
    });
    on('intake.changed', () => {
      void this.list.renew();
      if (this.tried !== null) void this.preview.renew();
    });
  }

  begin(): void {
    this.forecast.reset();
    this.draft = {
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
    this.forecast.reset();
    this.draft = rule;
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
