import { currentLanguage, sentenceNamed } from '../../ui/language.svelte.ts';
import { keyNames } from '../../ui/key-names.ts';
import { host } from '../../window/host.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { router } from '../../window/router.svelte.ts';
import { findIn, sectionsOf } from './search.ts';
import type { GuidePage, Inline } from './text.ts';
import { readGuide } from './texts.ts';

/** The guide that is shown, its page, and what is looked for in it. */
class Help {
  readonly guide = new Loaded(() => readGuide(currentLanguage()));
  search = $state('');
  /** Counts the links that were followed to where the address led already. */
  turn = $state(0);

  readonly pages: readonly GuidePage[] = $derived(this.guide.value?.text.pages ?? []);
  /** The page of the address; the first one where there is none of that name. */
  readonly page: GuidePage | undefined = $derived(
    this.pages.find(({ name }) => name === router.parts[0]) ?? this.pages[0],
  );
  readonly isTranslated: boolean = $derived(
    this.guide.value === null || this.guide.value.language === currentLanguage(),
  );
  readonly #sections = $derived(
    this.guide.value === null ? [] : sectionsOf(this.guide.value.text, sayPiece),
  );
  readonly found = $derived(findIn(this.#sections, this.search));
}

/** What is read in the place of a piece of text that has no others inside. */
export function sayPiece(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
    case 'code':
      return inline.text;
    case 'name':
      // A button that asks first ends in dots, which a sentence around its name would only repeat.
      return sentenceNamed(inline.key, inline.values).replace('…', '').trimEnd();
    case 'keys':
      return keyNames(inline.keys, host.value?.platform ?? 'linux');
    case 'emphasis':
    case 'link':
      return '';
  }
}

export const help = new Help();
