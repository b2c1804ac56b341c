import type { Settings } from '../../shared/contract/settings.ts';
import { api, on } from './desk.ts';
import { speak } from '../ui/language.svelte.ts';
import { activity } from './activity.svelte.ts';
import { host } from './host.svelte.ts';
import { Loaded } from './loaded.svelte.ts';
import { errorSentenceOf } from './refusal.ts';

/** The user's settings; theme, density and language apply to the whole page immediately. */
class SettingsState {
  /** The stored language at the start. */
  #language: { readonly stored: Settings['language'] } | null = null;
  readonly stored = new Loaded(async () => {
    const settings = await api['settings.read']({});
    await this.#apply(settings);
    return settings;
  });

  constructor() {
    on('settings.changed', () => void this.stored.refresh());
  }

  /** Stores a change. Returns whether this worked; a failure is announced. */
  async write(change: Partial<Settings>): Promise<boolean> {
    const isStored = await activity.attempt(() => api['settings.write'](change), 'settings.write');
    await this.stored.refresh();
    return isStored;
  }

  /** Stores the change of a form. Returns null on success, otherwise the reason. */
  async save(change: Partial<Settings>): Promise<string | null> {
    const refusal = await errorSentenceOf(() => api['settings.write'](change));
    if (refusal === null) activity.resolve('settings.write');
    await this.stored.refresh();
    return refusal;
  }

  async #apply({ theme, density, language }: Settings): Promise<void> {
    const page = document.documentElement;
    // Without a theme on the page, the styles follow the system.
    if (theme === 'system') delete page.dataset['theme'];
    else page.dataset['theme'] = theme;
    page.dataset['density'] = density;
    this.#language ??= { stored: language };
    // A language given at the program's start applies until the user chooses another.
    const named = language === this.#language.stored ? (host.value?.language ?? null) : null;
    await speak(named ?? language, host.value?.locale ?? window.navigator.language);
  }
}

export const settings = new SettingsState();
