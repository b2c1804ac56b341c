import type { Language } from '../../../shared/model/languages.ts';
import type { GuideText } from './text.ts';

/** Compiled from `renderer/guide`; loaded when the user opens the help. */
const files = import.meta.glob<GuideText>('../../generated/guide/*.json', { import: 'default' });
const pictures = import.meta.glob<string>('../../guide/pictures/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The guide in a language, or in English if it is not translated. */
export interface GuideInLanguage {
  readonly language: Language;
  readonly text: GuideText;
}

export async function readGuide(wanted: Language): Promise<GuideInLanguage> {
  const read = files[fileOf(wanted)];
  if (read !== undefined) return { language: wanted, text: await read() };
  const english = files[fileOf('en')];
  if (english === undefined) throw new Error('The page was built without the guide');
  return { language: 'en', text: await english() };
}

const fileOf = (language: Language): string => `../../generated/guide/${language}.json`;

export const pictureAt = (file: string): string => pictures[`../../guide/pictures/${file}`] ?? '';
