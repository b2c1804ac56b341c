/** A person of the story. Personal numbers are from ranges that are never assigned. */
export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly country: string;
  readonly personNumber?: string;
}

const TEST_SERIALS_FROM = 980;

export const people = {
  åsa: createTestPerson('Åsa Öberg', 'SE', '198507099805'),
  björn: createTestPerson('Björn Sjögren', 'SE', testPersonalNumber('19620314', 2)),
  märta: createTestPerson('Märta Wikström', 'SE', testPersonalNumber('19911205', 5)),
  nils: createTestPerson('Nils-Håkan Ängström', 'SE', testPersonalNumber('19790923', 11)),
  päivi: createTestPerson('Päivi Mäkinen', 'FI', '131052-308T'),
  yrjö: createTestPerson('Yrjö Hämäläinen', 'FI'),
  kjersti: createTestPerson('Kjærsti Bjørnstad', 'NO'),
  søren: createTestPerson('Søren Ærøskøbing', 'DK'),
  günther: createTestPerson('Günther Groß', 'DE'),
  käthe: createTestPerson('Käthe Weißmüller', 'DE'),
  daniël: createTestPerson('Daniël van der Meer', 'NL'),
  hélène: createTestPerson('Hélène Lefèvre-Noël', 'FR'),
  nicolò: createTestPerson("Nicolò D'Alò", 'IT'),
  josé: createTestPerson('José Núñez', 'ES'),
  begoña: createTestPerson('Begoña Ibáñez Güell', 'ES'),
  łukasz: createTestPerson('Łukasz Żółć', 'PL'),
  małgorzata: createTestPerson('Małgorzata Dąbrowska', 'PL'),
  siobhan: createTestPerson('Siobhan O’Brien', 'IE'),
  oliver: createTestPerson('Oliver Thompson', 'GB'),
} as const;

export type Name = keyof typeof people;

export function personAt(n: number): Person {
  const all = Object.values(people);
  return all[n % all.length] ?? people.åsa;
}

/** Returns a mobile number of the range reserved for fiction; the form `spaced` is for v2. */
export function mobileOf({ email }: Person, form: 'e164' | 'spaced'): string {
  const last = String(5 + (email.length % 90)).padStart(2, '0');
  return `+46${form === 'spaced' ? ' ' : ''}7017406${last}`;
}

function createTestPerson(name: string, country: string, personNumber?: string): Person {
  const [firstName = '', ...rest] = name.split(' ');
  return {
    firstName,
    lastName: rest.join(' '),
    email: `${plainLetters(name)
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, '.')}@example.com`,
    country,
    ...(personNumber === undefined ? {} : { personNumber }),
  };
}

function plainLetters(text: string): string {
  return text
    .replaceAll('ß', 'ss')
    .replaceAll(
      /[ŁłØøÆæ]/g,
      (letter) => ({ Ł: 'L', ł: 'l', Ø: 'O', ø: 'o', Æ: 'A', æ: 'a' })[letter] ?? '',
    )
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '');
}

/**
 * Returns a Swedish personal number with a serial from 980 to 999, which are reserved for tests.
 */
function testPersonalNumber(birth: string, serial: number): string {
  const digits = `${birth}${String(TEST_SERIALS_FROM + serial)}`;
  const sum = Array.from(digits.slice(2), Number)
    .map((digit, at) => (at % 2 === 0 ? digit * 2 : digit))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return `${digits}${String((10 - (sum % 10)) % 10)}`;
}
