import type { DeskLink, LinkedDraft, LinkFault } from '../../contract/links.ts';
import type { Person } from '../../contract/people.ts';
import { AgreementId } from '../../model/ids.ts';
import { containsPersonNumber } from '../people/personal-numbers.ts';
import { hasLineBreak, validateName, changesDirection } from '../text/clean-text.ts';
import { LINK_SCHEME } from './scheme.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/*
 * Links that open the program. Their author is unknown, so the length of each part is limited, only
 * the forms below are accepted, and one unknown part rejects the whole link.
 *
 *   signingdesk:agreement/ID
 *   signingdesk:draft?title=TEXT&message=TEXT&person=NAME <ADDRESS>&company=NAME <ADDRESS>
 *
 * Two slashes may follow the colon, because many programs recognise only such addresses as links.
 */

/**
 * Maximum length of a link: mail programs and browsers do not cut it, and no link of this program
 * is longer. @internal
 */
export const MAX_LINK_LENGTH = 4096;

/** @internal */
export const MAX_TITLE = 200;
/** @internal */
export const MAX_MESSAGE = 2000;
/** @internal */
export const MAX_PARTIES = 20;
const MAX_NAME = 100;
const MAX_EMAIL = 254;

const LINK_PATTERN = /^signingdesk:(?:\/\/)?([a-z]+)(?:\/([^/?#]*))?\/?(?:\?([^#]*))?$/i;
/** UUID of v1 or reference of v2: never a path, and nothing that leads out of a folder. */
const LINK_AGREEMENT_ID_PATTERN = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;
const LINK_PARTY_PATTERN = /^([^<>]*)<([^<>]*)>$/;
const LINK_MOBILE_PATTERN = /^\+?\d[\d -]{4,20}$/;

/** Link to an agreement, which opens the agreement on any computer that has it. */
export const agreementLink = (id: AgreementId): string =>
  `${LINK_SCHEME}:agreement/${encodeURIComponent(id.toWellFormed())}`;

/** Parses a link. Never throws, for any text. */
export function readLink(text: string): DeskLink {
  if (text.length > MAX_LINK_LENGTH) return refusedLink('too-long');
  const [, verb, named = '', query = ''] = LINK_PATTERN.exec(text) ?? [];
  if (verb === undefined) return refusedLink('damaged');
  switch (verb.toLowerCase()) {
    case 'agreement':
      return query === '' ? readAgreement(named) : refusedLink('unknown');
    case 'draft':
      return named === '' ? readDraft(query) : refusedLink('unknown');
    default:
      return refusedLink('unknown');
  }
}

const refusedLink = (why: LinkFault): DeskLink => ({ kind: 'refused', why });

function readAgreement(written: string): DeskLink {
  const id = decodePercent(written);
  const parsed = AgreementId.safeParse(id);
  if (id === null || !LINK_AGREEMENT_ID_PATTERN.test(id) || !parsed.success)
    return refusedLink('damaged');
  return { kind: 'agreement', id: parsed.data };
}

function readDraft(query: string): DeskLink {
  const draft: MutableLinkedDraft = { title: '', message: '', parties: [] };
  const seen = new Set<string>();
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const [name = '', ...rest] = pair.split('=');
    const value = decodePercent(rest.join('='));
    if (value === null) return refusedLink('damaged');
    const fault = readLinkPart(draft, name, value, seen);
    if (fault !== null) return refusedLink(fault);
    seen.add(name);
  }
  if (seen.size === 0 || containsPersonNumber(partsOf(draft))) return refusedLink('damaged');
  return { kind: 'draft', draft };
}

/** Displayed texts, with first and last name joined; none may contain a personal number. */
function partsOf({ title, message, parties }: LinkedDraft): string[] {
  const ofParties = parties.flatMap(
    ({ firstName = '', lastName = '', name = '', email, mobile }) => [
      `${firstName} ${lastName}`,
      name,
      email ?? '',
      mobile ?? '',
    ],
  );
  return [title, message, ...ofParties];
}

type MutableLinkedDraft = { -readonly [Key in keyof LinkedDraft]: LinkedDraft[Key] };

/** Writes one parameter into the draft; returns its error. */
function readLinkPart(
  draft: MutableLinkedDraft,
  name: string,
  value: string,
  seen: ReadonlySet<string>,
): LinkFault | null {
  switch (name) {
    case 'title':
      if (seen.has(name)) return 'damaged';
      draft.title = value.trim();
      if (draft.title.length > MAX_TITLE) return 'too-much';
      return isPlainLine(draft.title) ? null : 'damaged';
    case 'message':
      if (seen.has(name)) return 'damaged';
      draft.message = value.replaceAll(/\r\n?/g, '\n').trim();
      if (draft.message.length > MAX_MESSAGE) return 'too-much';
      return draft.message.split('\n').every(isPlainLine) ? null : 'damaged';
    case 'person':
    case 'company': {
      if (draft.parties.length === MAX_PARTIES) return 'too-much';
      const party = readParty(name, value);
      if (party === null) return 'damaged';
      draft.parties.push(party);
      return null;
    }
    default:
      return 'unknown';
  }
}

/**
 * Parses a party: `Name`, `Name <address>` or `<address>`. The address is an email address or a
 * mobile number.
 */
function readParty(kind: Person['kind'], value: string): Person | null {
  const [, before = value, address = ''] = LINK_PARTY_PATTERN.exec(value.trim()) ?? [];
  const [name, place] = [before.trim(), address.trim()];
  if (name === '' ? place === '' : validateName(name, MAX_NAME).verdict === 'wrong') return null;
  const reached = place === '' ? {} : contactFromAddress(place);
  if (reached === null || /[<>]/.test(name)) return null;
  return { kind, ...(kind === 'company' ? companyName(name) : personName(name)), ...reached };
}

function contactFromAddress(address: string): Pick<Person, 'email' | 'mobile'> | null {
  if (LINK_MOBILE_PATTERN.test(address)) return { mobile: address };
  const isEmail = /^[^\s@]+@[^\s@]+$/.test(address) && isPlainLine(address);
  return isEmail && address.length <= MAX_EMAIL ? { email: address } : null;
}

const companyName = (name: string): Pick<Person, 'name'> => (name === '' ? {} : { name });

/** Splits a name: the last word is assumed to be the surname. The user reviews the draft. */
function personName(name: string): Pick<Person, 'firstName' | 'lastName'> {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const lastName = words.pop();
  if (lastName === undefined) return {};
  return words.length === 0 ? { firstName: lastName } : { firstName: words.join(' '), lastName };
}

/** Whether a text is one line with a single reading direction. */
const isPlainLine = (text: string): boolean => !hasLineBreak(text) && !changesDirection(text);

/** Decodes percent escapes, but not a plus, as in a mobile number. Null if an escape is invalid. */
function decodePercent(text: string): string | null {
  try {
    const whole = decodeURIComponent(text).replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC');
    return whole.isWellFormed() ? whole : null;
  } catch {
    return null;
  }
}
