import type {
  ArchiveRule,
  ArchiveRuleId,
  ArchiveRuleView,
} from '../../../shared/contract/archive.ts';
import type { Api } from '../../../shared/contract/index.ts';
import { DEFAULT_NAME_PATTERN } from '../../../shared/contract/settings.ts';
import { api, on } from '../../window/desk.ts';
import { activity } from '../../window/activity.svelte.ts';
import { archive } from './state.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { RuleBook } from '../../window/rule-book.svelte.ts';
import { settings } from '../../window/settings.svelte.ts';

/** An archive rule that is being edited; it has no id until it is saved. */
export type RuleDraft = Parameters<Api['archive.saveRule']>[0];

/** The archive rules, and example file names for the rule being edited. */
class ArchiveRules extends RuleBook<ArchiveRuleId, ArchiveRuleView, RuleDraft> {
  readonly preview = new Loaded(() => {
    const { folder = '', subfolder = '', pattern, filter = {} } = this.draft ?? {};
    return api['archive.preview']({
      folder,
      subfolder,
      filter,
      pattern: pattern ?? settings.stored.value?.archivePattern ?? DEFAULT_NAME_PATTERN,
    });
  });

  constructor() {
    super({
      list: () => api['archive.rules']({}),
      save: (draft) => api['archive.saveRule']($state.snapshot(draft)),
      switch: (id, isOn) => api['archive.switchRule']({ id, isOn }),
      remove: (id) => api['archive.removeRule']({ id }),
    });
    on('archive.changed', () => void this.list.renew());
  }

  begin(): void {
    this.preview.reset();
    this.draft = {
      name: '',
      folder: archive.folder ?? '',
      subfolder: '',
      filter: {},
      beside: [],
      pattern: settings.stored.value?.archivePattern ?? DEFAULT_NAME_PATTERN,
      when: { kind: 'by-hand' },
      parallel: 8,
    };
  }

  edit({ createdAt: _, ...rule }: ArchiveRule): void {
    this.preview.reset();
    this.draft = { ...rule, subfolder: rule.subfolder ?? '' };
  }

  async run(id: ArchiveRuleId): Promise<void> {
    await activity.attempt(() => api['archive.runRule']({ id }));
  }
}

export const archiveRules = new ArchiveRules();
