import type { DuplicateReason, Person } from '../../contract/people.ts';
import { textOrNullIfEmpty } from '../drafts/parts/findings.ts';
import { headOf } from '../text/head-of-text.ts';
import { titleOfPerson } from './people.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/** Keys for comparing entries: equal for the same party, null if the entry has no such data. */
export interface PersonKeys {
  readonly number: string | null;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly name: string | null;
}

/** Letters without a Unicode decomposition, and their base letters. */
const plainLetterFor: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ß', 'ss'],
]);
const SPECIAL_LETTERS = /[øłđðþæœß]/gu;

/**
 * Replacements that give one sound one spelling: names such as Carlsson and Karlson are heard more
 * often than read.
 */
const SOUND_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/ph/g, 'f'],
  [/ch(?=r)|ck|[cq]/g, 'k'],
  [/th/g, 't'],
  [/w/g, 'v'],
  [/z/g, 's'],
  [/j(?=$)|y/g, 'i'],
  [/x/g, 'ks'],
];

/** Maximum compared length, longer than any name: names that differ only after it are equal. */
const MAX_COMPARED_LENGTH = 500;

/** Legal forms of companies, which are often omitted. */
const COMPANY_FORMS = /\b(?:ab|publ|aktiebolag|aktiebolaget|as|asa|aps|oy|oyj|gmbh|ltd|inc|bv)\b/g;

export function keysOf(person: Person): PersonKeys {
  const { kind, country, personNumber, companyNumber, email, mobile } = person;
  const number = textOrNullIfEmpty(kind === 'person' ? personNumber : companyNumber);
  const home = kind === 'person' ? (country ?? 'SE') : 'company';
  return {
    number: number === null ? null : `${home} ${number.replaceAll(/[-+\s]/g, '').toUpperCase()}`,
    email: textOrNullIfEmpty(email)?.toLowerCase() ?? null,
    mobile: textOrNullIfEmpty(mobile)?.replaceAll(/[^+\d]/g, '') ?? null,
    name: nameKey(kind, titleOfPerson(person)),
  };
}

/** Key of a name: its words, sorted and in one spelling, so that equal sounds have equal keys. */
function nameKey(kind: Person['kind'], title: string): string | null {
  const plain = headOf(title, MAX_COMPARED_LENGTH)
    .toLowerCase()
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(SPECIAL_LETTERS, (letter) => plainLetterFor.get(letter) ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  const named = kind === 'company' ? plain.replaceAll(COMPANY_FORMS, ' ') : plain;
  const sounded = SOUND_SPELLINGS.reduce(
    (text, [sound, letter]) => text.replaceAll(sound, letter),
    named,
  );
  const words = withoutDoubledLetters(sounded).trim().split(/\s+/).filter(Boolean).toSorted();
  return words.length === 0 ? null : `${kind} ${words.join(' ')}`;
}

const withoutDoubledLetters = (text: string): string =>
  [...text].filter((letter, at, all) => letter !== all[at - 1]).join('');

const areKnownToDiffer = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other;
const areKnownToAgree = (one: string | null, other: string | null): boolean =>
  one !== null && one === other;

/**
 * Whether the data of a party is for this entry: if so, the entry is updated instead of adding
 * another. False if the party may be another person with the same address.
 */
export function isSameParty(known: Person, given: Person): boolean {
  if (known.kind !== given.kind) return false;
  const [a, b] = [keysOf(known), keysOf(given)];
  if (areKnownToDiffer(a.number, b.number)) return false;
  if (areKnownToAgree(a.number, b.number))
    return known.kind === 'person' || !areKnownToDiffer(a.email, b.email);
  if (areKnownToDiffer(a.name, b.name)) return false;
  if (areKnownToAgree(a.email, b.email)) return true;
  if (areKnownToDiffer(a.email, b.email)) return false;
  if (areKnownToAgree(a.mobile, b.mobile)) return true;
  // A name identifies a party only if one side has no other data.
  return areKnownToAgree(a.name, b.name) && (hasOnlyName(a) || hasOnlyName(b));
}

const hasOnlyName = ({ number, email, mobile }: PersonKeys): boolean =>
  number === null && email === null && mobile === null;

/** Whether a value of two entries differs, other than their names and email addresses. */
export function haveDifferentFacts(first: Person, second: Person): boolean {
  const [a, b] = [keysOf(first), keysOf(second)];
  return (
    areKnownToDiffer(a.number, b.number) ||
    areKnownToDiffer(a.mobile, b.mobile) ||
    areKnownToDiffer(textOrNullIfEmpty(first.country), textOrNullIfEmpty(second.country))
  );
}

/** Reasons why two entries may be the same party; empty if their data contradicts that. */
export function duplicateReasons(first: Person, second: Person): readonly DuplicateReason[] {
  const [a, b] = [keysOf(first), keysOf(second)];
  if (first.kind === second.kind && areKnownToDiffer(a.number, b.number)) return [];
  const reasons = (['number', 'email', 'mobile', 'name'] as const).filter((one) =>
    areKnownToAgree(a[one], b[one]),
  );
  // Many people have the same name. If email and phone number differ, they are different people.
  const isNameOnly = reasons.length === 1 && reasons[0] === 'name';
  const isContradicted = areKnownToDiffer(a.email, b.email) && areKnownToDiffer(a.mobile, b.mobile);
  return isNameOnly && isContradicted ? [] : reasons;
}

/** Adds new values to an entry; a value without a new one is kept. */
export function withNewValues(known: Person, given: Person): Person {
  const said = Object.entries(given).filter(([, text]) => text !== undefined && text.trim() !== '');
  return { ...known, ...Object.fromEntries(said) };
}

/** Names of the values that `next` changes or adds. */
export function changesBetween(known: Person, next: Person): readonly (keyof Person)[] {
  const names = Object.keys({ ...known, ...next });
  return personKeys.filter((name) => names.includes(name) && known[name] !== next[name]);
}

const personKeys = [
  'kind',
  'firstName',
  'lastName',
  'name',
  'email',
  'mobile',
  'country',
  'personNumber',
  'companyNumber',
] as const satisfies readonly (keyof Person)[];
