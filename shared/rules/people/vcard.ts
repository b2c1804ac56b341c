import type { Person, PersonId } from '../../contract/people.ts';
import { splitByUtf8Length } from '../text/utf8.ts';
import { titleOfPerson } from './people.ts';

/** Maximum number of octets in a line without its line break (RFC 6350, 3.2). */
const MAX_LINE_OCTETS = 75;

/**
 * Formats an entry as a vCard 4.0 (RFC 6350). The format has no properties for personal and
 * organisation numbers, so they are omitted.
 */
export function vcardOf(id: PersonId, person: Person): string {
  const { kind, firstName = '', lastName = '', name = '', email, mobile } = person;
  const isCompany = kind === 'company';
  const title = titleOfPerson(person) || (email ?? mobile ?? '');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `KIND:${isCompany ? 'org' : 'individual'}`,
    `UID:urn:uuid:${id}`,
    `FN:${escapeVcardText(title)}`,
    ...(firstName + lastName === ''
      ? []
      : [`N:${escapeVcardText(lastName)};${escapeVcardText(firstName)};;;`]),
    ...(isCompany && name !== '' ? [`ORG:${escapeVcardText(name)}`] : []),
    ...(email === undefined ? [] : [`EMAIL:${escapeVcardText(email)}`]),
    ...(mobile === undefined ? [] : [vcardPhone(mobile)]),
    'END:VCARD',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

const vcardPhone = (mobile: string): string =>
  /^\+\d+$/.test(mobile)
    ? `TEL;VALUE=uri;TYPE=cell:tel:${mobile}`
    : `TEL;TYPE=cell:${escapeVcardText(mobile)}`;

const escapeVcardText = (text: string): string =>
  text.replaceAll(/[\\,;]/g, String.raw`\$&`).replaceAll(/\r\n?|\n/g, String.raw`\n`);

/** Folds a line. Continuation lines start with a space, which is included in their length. */
const foldLine = (line: string): string =>
  splitByUtf8Length(line, MAX_LINE_OCTETS, MAX_LINE_OCTETS - 1).join('\r\n ');
