import type { Person } from '../../../../shared/contract/people.ts';
import { titleOfPerson } from '../../../../shared/rules/people/people.ts';
import { keysOf } from '../../../../shared/rules/people/same.ts';
import type { Parameters } from '../database/database.ts';
import { titleKey, wordsOf } from '../database/text-keys.ts';

/** Country prefixes of numbers that people also write nationally, with a leading 0. */
const NATIONAL = /^\+(?:46|47|45|358|49|31|33|34|39|48|44)/;

/** Returns the derived columns of an entry: texts for order, search and comparison. */
export function personColumns(person: Person): Parameters {
  const { kind, firstName, lastName, name, email, mobile, companyNumber } = person;
  const keys = keysOf(person);
  const national = mobile?.replace(NATIONAL, '0');
  const texts = [firstName, lastName, name, email, mobile, national, companyNumber];
  const compact = companyNumber?.replace('-', '');
  const words = wordsOf([...texts, compact].filter((text) => text !== undefined).join(' '));
  return {
    kind,
    content: JSON.stringify(person),
    titleKey: titleKey(titleOfPerson(person) || (email ?? mobile ?? '')),
    numberKey: keys.number,
    emailKey: keys.email,
    mobileKey: keys.mobile,
    nameKey: keys.name,
    words: [...new Set(words)].map((word) => ` ${word}`).join(''),
  };
}
