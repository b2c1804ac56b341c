import { PartyDatum } from '../../model/template.ts';

/** The words a sample sheet asks for a party's data with; `kindOfHeader` knows each of them. */
const headers: Readonly<Record<PartyDatum, string>> = {
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
const data = new Map(Object.entries(headers).map(([datum, header]) => [header, datum]));
const NAMED = /^(.+?)(?: ([2-9]|[1-9]\d+))?$/;

/** What a mapping calls `datum` of the party at `place`, from 0: `E-mail`, of the second `E-mail 2`. */
export function partyColumn(place: number, datum: PartyDatum): string {
  return headers[datum] + (place === 0 ? '' : ` ${place + 1}`);
}

/** What `partyColumn` gave the name for; null for a name of somebody's own. */
export function readPartyColumn(name: string): { place: number; datum: PartyDatum } | null {
  const [, header = '', number = '1'] = NAMED.exec(name) ?? [];
  const datum = data.get(header);
  return datum === undefined ? null : { place: Number(number) - 1, datum: PartyDatum.parse(datum) };
}
