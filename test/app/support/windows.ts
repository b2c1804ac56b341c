import type { Language } from '../../../shared/model/languages.ts';

/** A window in which a person's work is done from start to end. */
export interface PersonsWindow {
  readonly language: Language;
  readonly size: { readonly width: number; readonly height: number };
}

/** The usual one, and the smallest that is promised, in a language of long words and three plurals. */
export const windows: readonly PersonsWindow[] = [
  { language: 'en', size: { width: 1280, height: 800 } },
  { language: 'pl', size: { width: 1024, height: 700 } },
];

/** CSS pixels: from here on what is selected stands beside the list. */
export const BESIDE = 1100;
