import type { Person, PersonId } from '../../contract/people.ts';
import { utf8Stretches } from '../text/utf8.ts';
import { titleOfPerson } from './people.ts';

/** RFC 6350, 3.2: octets of a line without its end. */
const LINE = 75;

/**
 * An entry as a vCard 4.0 (RFC 6350). The format has no place for personal and organisation
 * numbers, which are omitted.
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
    `FN:${escaped(title)}`,
    ...(firstName + lastName === '' ? [] : [`N:${escaped(lastName)};${escaped(firstName)};;;`]),
    ...(isCompany && name !== '' ? [`ORG:${escaped(name)}`] : []),
    ...(email === undefined ? [] : [`EMAIL:${escaped(email)}`]),
    ...(mobile === undefined ? [] : [phone(mobile)]),
    'END:VCARD',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

const phone = (mobile: string): string =>
  /^\+\d+$/.test(mobile)
    ? `TEL;VALUE=uri;TYPE=cell:tel:${mobile}`
    : `TEL;TYPE=cell:${escaped(mobile)}`;

const escaped = (text: string): string =>
  text.replaceAll(/[\\,;]/g, String.raw`\$&`).replaceAll(/\r\n?|\n/g, String.raw`\n`);

/** Continuation lines start with a space, which counts. */
const folded = (line: string): string => utf8Stretches(line, LINE, LINE - 1).join('\r\n ');
