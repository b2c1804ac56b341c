import type { Language } from '../../../shared/model/languages.ts';
import type { GuideText } from './text.ts';

/** Compiled from `renderer/guide`; loaded when the user opens the help. */
const guideModules = import.meta.glob<GuideText>('../../generated/guide/*.json', {
  import: 'default',
});
const pictureAddresses = import.meta.glob<string>('../../guide/pictures/*.webp', {
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
  const read = guideModules[guideModuleOf(wanted)];
  if (read !== undefined) return { language: wanted, text: await read() };
  const english = guideModules[guideModuleOf('en')];
  if (english === undefined) throw new Error('The page was built without the guide');
  return { language: 'en', text: await english() };
}

const guideModuleOf = (language: Language): string => `../../generated/guide/${language}.json`;

export const pictureAt = (file: string): string =>
  pictureAddresses[`../../guide/pictures/${file}`] ?? '';
