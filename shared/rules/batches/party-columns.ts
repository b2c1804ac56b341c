import { PartyDatum } from '../../model/template.ts';

/** Headers of a party's data in a sample spreadsheet; `kindOfHeader` knows each of them. */
const datumHeaders: Readonly<Record<PartyDatum, string>> = {
  'full-name': 'Full name',
  'first-name': 'First name',
  'last-name': 'Last name',
  'person-number': 'Personal number',
  'company-name': 'Company',
  'company-number': 'Organisation number',
  email: 'E-mail',
  mobile: 'Mobile',
  country: 'Country',
};
const datumByHeader = new Map(
  Object.entries(datumHeaders).map(([datum, header]) => [header, datum]),
);
const NUMBERED_COLUMN_PATTERN = /^(.+?)(?: ([2-9]|[1-9]\d+))?$/;

/** Placeholder for `datum` of the party with index `place`: `E-mail`, for the second `E-mail 2`. */
export function partyColumn(place: number, datum: PartyDatum): string {
  return datumHeaders[datum] + (place === 0 ? '' : ` ${place + 1}`);
}

/** Parses a name that `partyColumn` returned; null for any other name. */
export function readPartyColumn(name: string): { place: number; datum: PartyDatum } | null {
  const [, header = '', number = '1'] = NUMBERED_COLUMN_PATTERN.exec(name) ?? [];
  const datum = datumByHeader.get(header);
  return datum === undefined ? null : { place: Number(number) - 1, datum: PartyDatum.parse(datum) };
}
