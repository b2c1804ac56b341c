import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import { Settings } from '../../shared/contract/settings.ts';
import { requireTokens } from './archive/names.ts';
import type { SettingStore, Stores } from './ports.ts';
import { EVIDENCE_REACH_ID } from './unconfirmed.ts';

export function createSettingsHandlers(ports: {
  readonly settings: SettingStore;
  readonly office: Pick<Stores['office'], 'item'>;
  readonly emit: Emit;
}): HandlersOf<'settings'> {
  return {
    'settings.read': async () => ports.settings.read(),
    'settings.write': async (change) => {
      requireTokens({ pattern: change.archivePattern });
      const defined = Object.entries(change).filter(([, value]) => value !== undefined);
      const before = ports.settings.read();
      const wanted = Settings.parse({ ...before, ...Object.fromEntries(defined) });
      // A window writes all its views, even one that another computer has just removed. This one is
      // dropped: a new view would have a new ID.
      const agreementViews = wanted.agreementViews.filter(
        ({ id }) =>
          before.agreementViews.some((one) => one.id === id) ||
          ports.office.item('view', id)?.content !== null,
      );
      // By entering the folder, the user confirms it.
      const unconfirmed = wanted.unconfirmed.filter(
        (id) => id !== EVIDENCE_REACH_ID || change.evidenceFolder === undefined,
      );
      const settings = ports.settings.write({ ...wanted, agreementViews, unconfirmed });
      ports.emit('settings.changed', {});
      return settings;
    },
  };
}
