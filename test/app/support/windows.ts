import type { Language } from '../../../shared/model/languages.ts';

/** A window size and language for a whole journey. */
export interface PersonsWindow {
  readonly language: Language;
  readonly size: { readonly width: number; readonly height: number };
}

/**
 * The default window, and the smallest supported one, in a language with long words and three
 * plural forms.
 */
export const windows: readonly PersonsWindow[] = [
  { language: 'en', size: { width: 1280, height: 800 } },
  { language: 'pl', size: { width: 1024, height: 700 } },
];

/** Minimum width (CSS px) at which details are shown next to the list. */
export const BESIDE = 1100;
