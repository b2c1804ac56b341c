import type { CardFacts, ReadCard } from '../../core/people/ports.ts';
import { valuesIn } from '../../../shared/rules/people/table.ts';
import { charactersOf } from './letters.ts';
import { type Property, propertyOf, unfoldLines } from './lines.ts';

const BEGIN = /^\s*BEGIN\s*:\s*VCARD\s*$/i;
/** An AGENT property whose value is the card in the lines that follow. */
const AGENT = /^(?:[\w-]{1,64}\.)?AGENT[^:]{0,128}:\s*$/i;
const END = /^\s*END\s*:\s*VCARD\s*$/i;
/** Version 4.0 has cards of things and groups: they are skipped like any other refused entry. */
const NON_PERSON_KINDS = new Set(['group', 'location', 'application', 'device']);
/** Apple's property in version 3.0 for KIND of 4.0. */
const APPLE_KIND = 'X-ADDRESSBOOKSERVER-KIND';
const MOBILE_TYPES = ['cell', 'mobile', 'iphone', 'pcs'];
const NON_PHONE_TYPES = ['fax', 'pager', 'modem', 'bbs'];

/** Whether a file begins as a vCard file. */
export const isCards = (data: Uint8Array): boolean =>
  BEGIN.test(
    charactersOf(data.subarray(0, 4096))
      .split(/[\r\n]/)
      .find(Boolean) ?? '',
  );

/** Reads vCards as programs write them (RFC 6350, RFC 2426, and vCard 2.1). */
export const readCards = (data: Uint8Array): readonly ReadCard[] => [
  ...cardsIn(charactersOf(data)),
];

function* cardsIn(letters: string): Generator<ReadCard> {
  let place = 0;
  let card: (Property | null)[] | null = null;
  /** Depth of cards within cards: version 2.1 writes an agent's card into the person's card. */
  let depth = 0;
  let isAgent = false;
  for (const line of unfoldLines(letters)) {
    if (BEGIN.test(line)) {
      // Any other card that begins inside a card means that the outer one was cut off. Later cards
      // are still read.
      if (card !== null && !isAgent) {
        place += 1;
        yield { place, facts: null, refusal: 'broken' };
      }
      depth = isAgent ? depth + 1 : 1;
      if (depth === 1) card = [];
      isAgent = false;
      continue;
    }
    if (line.trim() !== '') isAgent = AGENT.test(line);
    if (END.test(line)) {
      depth = Math.max(0, depth - 1);
      if (depth > 0 || card === null) continue;
      place += 1;
      yield readCard(place, card);
      card = null;
    } else if (card !== null && depth === 1 && line.trim() !== '') card.push(propertyOf(line));
  }
  // The file was cut off: the last card may contain half a name.
  if (card !== null) yield { place: place + 1, facts: null, refusal: 'broken' };
}

function readCard(place: number, card: readonly (Property | null)[]): ReadCard {
  const properties = card.filter((one) => one !== null);
  const wanted = properties.filter(({ name }) => WANTED_PROPERTIES.has(name));
  if (wanted.some(({ parts }) => parts === null)) return { place, facts: null, refusal: 'letters' };
  if (wanted.length === 0) return { place, facts: null, refusal: 'broken' };
  return { place, facts: factsOf(properties), refusal: null };
}

const WANTED_PROPERTIES = new Set([
  ...['N', 'FN', 'ORG', 'EMAIL', 'TEL', 'KIND', APPLE_KIND, 'X-ABSHOWAS', 'NICKNAME'],
]);

function factsOf(properties: readonly Property[]): CardFacts {
  const first = (name: string): readonly string[] =>
    sortByPreference(properties.filter((one) => one.name === name))[0]?.parts ?? [];
  const [lastName = '', firstName = '', middle = ''] = first('N').map(asPersonName);
  const [organisation = ''] = first('ORG').map(toOneLine);
  const whole = toOneLine(first('FN').join(';'));
  const [kind = ''] = ['KIND', APPLE_KIND, 'X-ABSHOWAS'].flatMap((name) =>
    first(name)
      .slice(0, 1)
      .map((value) => value.trim().toLowerCase()),
  );
  const hasName = lastName !== '' || firstName !== '';
  const isCompany =
    kind === 'org' ||
    kind === 'company' ||
    (organisation !== '' && !hasName && (whole === '' || whole === organisation));
  const contacts = { emails: emailsOf(properties), phones: phonesOf(properties) };
  if (NON_PERSON_KINDS.has(kind)) {
    return { kind: 'person', firstName: '', lastName: '', name: '', emails: [], phones: [] };
  }
  const given = [firstName, middle].filter(Boolean).join(' ');
  if (isCompany) {
    const name = organisation || whole;
    return { kind: 'company', firstName: given, lastName, name, ...contacts };
  }
  const names = hasName ? { firstName: given, lastName } : splitWholeName(whole);
  return { kind: 'person', ...names, name: '', ...contacts };
}

/**
 * Returns the part in one line, or empty if it is an email address: phones show an entry without a
 * name by its email address.
 */
const asPersonName = (part: string): string => (part.includes('@') ? '' : toOneLine(part));

/** Splits a whole name: the family name is the last word, or everything before a comma. */
function splitWholeName(whole: string): Pick<CardFacts, 'firstName' | 'lastName'> {
  if (whole.includes('@')) return { firstName: '', lastName: '' };
  const [before = '', after] = whole.split(',').map((part) => part.trim());
  if (after !== undefined) return { firstName: after, lastName: before };
  const words = whole.split(/\s+/).filter(Boolean);
  const last = words.pop() ?? '';
  return words.length === 0
    ? { firstName: last, lastName: '' }
    : { firstName: words.join(' '), lastName: last };
}

function emailsOf(properties: readonly Property[]): readonly string[] {
  const emails = sortByPreference(properties.filter(({ name }) => name === 'EMAIL'));
  const written = emails.flatMap(({ parts }) => valuesIn((parts ?? []).join(';')));
  return withoutDuplicates(written.map((value) => value.replace(/^mailto:/i, '').trim()));
}

function phonesOf(properties: readonly Property[]): readonly string[] {
  const all = properties.filter(
    ({ name, marks }) => name === 'TEL' && !NON_PHONE_TYPES.some((one) => marks.has(one)),
  );
  const isMobile = ({ marks }: Property): boolean => MOBILE_TYPES.some((one) => marks.has(one));
  const sorted = [
    ...sortByPreference(all.filter(isMobile)),
    ...sortByPreference(all.filter((one) => !isMobile(one))),
  ];
  // In version 4.0 an extension follows the semicolon of a `tel:` address.
  const written = sorted.flatMap(({ parts }) => valuesIn(parts?.[0] ?? ''));
  return withoutDuplicates(written.map((value) => value.replace(/^tel:/i, '').trim()));
}

const withoutDuplicates = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.filter((text) => text !== '')),
];

/** Sorts the preferred properties first; in version 4.0, by their preference number. */
function sortByPreference(properties: readonly Property[]): readonly Property[] {
  const rank = ({ marks }: Property): number => {
    if (marks.has('pref')) return 0;
    const mark = [...marks].find((one) => one.startsWith('pref='));
    return mark === undefined ? 1000 : Number(mark.slice('pref='.length)) || 1000;
  };
  return properties.toSorted((a, b) => rank(a) - rank(b));
}

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
