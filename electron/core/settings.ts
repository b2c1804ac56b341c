import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import { Settings } from '../../shared/contract/settings.ts';
import type { SettingStore } from './ports.ts';

export function createSettings(ports: {
  readonly settings: SettingStore;
  readonly emit: Emit;
}): HandlersOf<'settings'> {
  return {
    'settings.read': async () => ports.settings.read(),
    'settings.write': async (change) => {
      const defined = Object.entries(change).filter(([, value]) => value !== undefined);
      const wanted = Settings.parse({ ...ports.settings.read(), ...Object.fromEntries(defined) });
      const settings = ports.settings.write(wanted);
      ports.emit('settings.changed', {});
      return settings;
    },
  };
}
