import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { messageFiles } from '../messages.ts';

/** Language with which all others are compared. */
const REFERENCE_LANGUAGE = 'en';
/** Key in a message file that is not a message: it names the file's schema for editors. */
const SCHEMA_KEY = '$schema';

/**
 * Returns one sentence for each message of `folder` that differs between languages: a message that
 * is missing, has other values, or lacks plural forms of the language (CLDR).
 */
export async function messageProblems(folder: string): Promise<string[]> {
  const catalogues = await Promise.all((await messageFiles(folder)).map(readCatalogue));
  const all = new Map(catalogues.flatMap(({ messages }) => [...messages]));
  const base = new Map(
    catalogues.find(({ language }) => language === REFERENCE_LANGUAGE)?.messages,
  );
  return catalogues.flatMap(({ language, messages }) => {
    const found = new Map(messages);
    const file = `${language}.json`;
    return [...all.keys()].flatMap((key) => {
      const message = found.get(key);
      if (message === undefined) return [`${file} lacks the message "${key}"`];
      const english = base.get(key);
      return english === undefined
        ? []
        : messageDifferences(message, english, language).map(
            (what) => `${file}, "${key}": ${what}`,
          );
    });
  });
}

const MessageVariants = z.object({
  declarations: z.array(z.string()),
  selectors: z.array(z.string()),
  match: z.record(z.string(), z.string()),
});
type MessageVariants = z.infer<typeof MessageVariants>;
/** A message in inlang's format: a text, or the forms of a text under one selector. */
const CatalogueMessage = z.union([z.string(), z.array(MessageVariants)]);
type CatalogueMessage = z.infer<typeof CatalogueMessage>;

function messageDifferences(
  message: CatalogueMessage,
  english: CatalogueMessage,
  language: string,
): string[] {
  if (typeof message === 'string' && typeof english === 'string') {
    return sameValues(message, english) ? [] : ['its values are not those of English'];
  }
  if (typeof message === 'string' || typeof english === 'string') {
    return ['only one of it and English has plural forms'];
  }
  const [own] = message;
  const [theirs] = english;
  if (own === undefined || theirs === undefined) return ['it has no forms'];
  return [...pluralFormProblems(own, language), ...valueProblems(own, theirs, language)];
}

function pluralFormProblems(
  { match, selectors: [selector = ''] }: MessageVariants,
  language: string,
): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const wanted = forms.map((form) => `${selector}=${form}`).toSorted();
  return Object.keys(match).toSorted().join() === wanted.join()
    ? []
    : [`its forms must be ${wanted.join(', ')}`];
}

/**
 * Returns the problems with the values of plural forms. Every form must contain the values of the
 * English plural. A form that the language uses only for the number 1 may omit the number.
 */
function valueProblems(
  { match }: MessageVariants,
  english: MessageVariants,
  language: string,
): string[] {
  const isOneAlone = new Intl.PluralRules(language).select(0) !== 'one';
  const known = new Set(Object.values(english.match).flatMap(valuesOf));
  const needed = Object.entries(english.match).find(([form]) => form.endsWith('=other'));
  const wanted = needed === undefined ? [] : valuesOf(needed[1]);
  return Object.entries(match)
    .filter(([form, text]) => {
      const values = valuesOf(text);
      const mayLack = isOneAlone && form.endsWith('=one');
      const lacks = !mayLack && wanted.some((value) => !values.includes(value));
      return lacks || values.some((value) => !known.has(value));
    })
    .map(([form]) => `the values of ${form} are not those of English`);
}

const valuesOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted();

const sameValues = (text: string, english: string): boolean =>
  valuesOf(text).join() === valuesOf(english).join();

interface Catalogue {
  readonly language: string;
  readonly messages: readonly (readonly [key: string, message: CatalogueMessage])[];
}

async function readCatalogue(file: string): Promise<Catalogue> {
  const messages = z
    .record(z.string(), CatalogueMessage)
    .parse(JSON.parse(await readFile(file, 'utf8')));
  return {
    language: path.basename(file, '.json'),
    messages: Object.entries(messages).filter(([key]) => key !== SCHEMA_KEY),
  };
}
