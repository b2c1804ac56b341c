import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { PersonSuggestion } from '../../../shared/contract/people.ts';
import { keyOf } from '../../features/agreements/state.svelte.ts';
import { connections } from '../../features/connections/state.svelte.ts';
import { drafts } from '../../features/drafts/state.svelte.ts';
import { settingsSections } from '../../features/settings/sections.ts';
import { templates } from '../../features/templates/state.svelte.ts';
import { foldedWords, hasWords } from '../../ui/fold.ts';
import { formatNames } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { joinFacts } from '../../ui/join-facts.ts';
import { activity } from '../../window/activity.svelte.ts';
import { api } from '../../window/desk.ts';
import { go } from '../../window/router.svelte.ts';

/** Maximum number of results in a group; the screens have searches of their own. */
const MAX_PALETTE_ITEMS = 8;

interface PaletteResult {
  readonly id: string;
  readonly title: string;
  /** Second line that distinguishes results with the same title; '' for none. */
  readonly hint: string;
  readonly run: () => void;
}

interface PaletteGroup {
  readonly name: string;
  readonly title: string;
  readonly results: readonly PaletteResult[];
}

/** The text of the palette, and everything that it finds besides commands. */
class PaletteState {
  text = $state('');
  #agreements = $state.raw<readonly Agreement[]>([]);
  #people = $state.raw<readonly PersonSuggestion[]>([]);
  readonly #words = $derived(foldedWords(this.text));

  readonly groups: readonly PaletteGroup[] = $derived.by(() => {
    if (this.#words.length === 0) return [];
    return [
      {
        name: 'agreements',
        title: m.screen_agreements(),
        results: this.#agreements.map(ofAgreement),
      },
      { name: 'people', title: m.screen_people(), results: this.#people.map(ofPerson) },
      { name: 'drafts', title: m.screen_drafts(), results: this.#foundDrafts() },
      { name: 'templates', title: m.screen_templates(), results: this.#foundTemplates() },
      { name: 'settings', title: m.screen_settings(), results: this.#foundSettings() },
    ].filter(({ results }) => results.length > 0);
  });

  async type(text: string): Promise<void> {
    this.text = text;
    const search = text.trim();
    if (search === '') {
      this.#agreements = [];
      this.#people = [];
      return;
    }
    if (templates.list.value === null) void templates.list.refresh();
    const isRead = await activity.attempt(async () => {
      const [{ items }, people] = await Promise.all([
        api['agreements.list']({ ...connections.scope, search, limit: MAX_PALETTE_ITEMS }),
        api['people.search']({ text: search }),
      ]);
      if (this.text !== text) return;
      this.#agreements = items;
      this.#people = people.slice(0, MAX_PALETTE_ITEMS);
    });
    // The results of an earlier text would look like those of this one.
    if (!isRead && this.text === text) {
      this.#agreements = [];
      this.#people = [];
    }
  }

  #foundDrafts(): readonly PaletteResult[] {
    return drafts.items
      .filter(({ title, parties }) => hasWords([title, ...parties].join(' '), this.#words))
      .slice(0, MAX_PALETTE_ITEMS)
      .map(({ id, title, parties }) => ({
        id: `draft-${id}`,
        title: title || m.agreements_untitled(),
        hint: formatNames(parties),
        run: () => go('drafts', id),
      }));
  }

  #foundTemplates(): readonly PaletteResult[] {
    return templates.kept
      .filter(({ name }) => hasWords(name, this.#words))
      .slice(0, MAX_PALETTE_ITEMS)
      .map(({ id, name }) => ({
        id: `template-${id}`,
        title: name,
        hint: '',
        run: () => go('templates', id),
      }));
  }

  #foundSettings(): readonly PaletteResult[] {
    return settingsSections().flatMap(({ name, title, terms }) => {
      const named = terms.map((term) => term()).filter((term) => hasWords(term, this.#words));
      if (named.length === 0 && !hasWords(title(), this.#words)) return [];
      const run = (): void => go('settings', name);
      return [{ id: `settings-${name}`, title: title(), hint: joinFacts(named), run }];
    });
  }
}

const ofAgreement = (agreement: Agreement): PaletteResult => ({
  id: keyOf(agreement),
  title: agreement.title || m.agreements_untitled(),
  hint: formatNames(agreement.parties ?? []),
  run: () => go('agreements', agreement.connectionId, agreement.id),
});

const ofPerson = ({ id, title, email, mobile }: PersonSuggestion): PaletteResult => ({
  id: `person-${id}`,
  title,
  hint: email ?? mobile ?? '',
  run: () => go('people', id),
});

export const palette = new PaletteState();
