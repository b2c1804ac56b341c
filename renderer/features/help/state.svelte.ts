import { currentLanguage, sentenceNamed } from '../../ui/language.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { router } from '../../window/router.svelte.ts';
import { findSections, sectionsOf } from './search.ts';
import type { GuidePage, Inline } from './text.ts';
import { readGuide } from './texts.ts';
import { shownKeys } from '../../window/shown-keys.ts';

class Help {
  readonly guide = new Loaded(() => readGuide(currentLanguage()));
  search = $state('');
  /** Number of clicks on links that lead to the current address. */
  turn = $state(0);

  readonly pages: readonly GuidePage[] = $derived(this.guide.value?.text.pages ?? []);
  /** The page of the address; the first one if the address names none. */
  readonly page: GuidePage | undefined = $derived(
    this.pages.find(({ name }) => name === router.parts[0]) ?? this.pages[0],
  );
  readonly isTranslated: boolean = $derived(
    this.guide.value === null || this.guide.value.language === currentLanguage(),
  );
  readonly #sections = $derived(
    this.guide.value === null ? [] : sectionsOf(this.guide.value.text, inlineToText),
  );
  readonly found = $derived(findSections(this.#sections, this.search));
}

/** Text of an inline element that contains no others. */
export function inlineToText(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
    case 'code':
      return inline.text;
    case 'name':
      // A dialog's button ends in an ellipsis, which would be confusing within a sentence.
      return sentenceNamed(inline.key, inline.values).replace('…', '').trimEnd();
    case 'keys':
      return shownKeys(inline.keys);
    case 'emphasis':
    case 'link':
      return '';
  }
}

export const help = new Help();
