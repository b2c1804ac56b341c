import type { BatchMapping } from '../../contract/batches.ts';

type Json = BatchMapping['body'][string];
type Party = Readonly<Record<string, Json>>;

/** Party of a mapping that a row may omit: any party except the first. */
export interface OptionalParty {
  /** Path in the body: `parties.1`, `parties.privates.1`. */
  readonly at: string;
  /** Number of the party, from 1, as shown to the user. */
  readonly number: number;
  readonly isOptional: boolean;
}

/** Keys that identify a party; a row with an empty value omits the party. */
const IDENTIFYING_FIELDS = ['lastName', 'name', 'firstName', 'email', 'personNo', 'orgNo'];

export function optionalParties(mapping: BatchMapping): readonly OptionalParty[] {
  return listedParties(mapping).flatMap(({ at, party }, index) => {
    if (index === 0 || nameOf(party) === null) return [];
    return [{ at, number: index + 1, isOptional: party['when'] !== undefined }];
  });
}

/** Returns the mapping with the party omitted if a row does not name it, or always present. */
export function withOptional(mapping: BatchMapping, at: string, isOptional: boolean): BatchMapping {
  const change = (party: Json, place: string): Json => {
    if (place !== at || !isObject(party)) return party;
    const { when: _, ...rest } = party;
    const name = nameOf(party);
    return isOptional && name !== null ? { ...rest, when: name } : rest;
  };
  const list = (items: Json, path: string): Json =>
    Array.isArray(items) ? items.map((item, index) => change(item, `${path}.${index}`)) : items;
  const { parties } = mapping.body;
  if (parties === undefined) return mapping;
  const changed = isObject(parties)
    ? Object.fromEntries(
        Object.entries(parties).map(([key, items]) => [key, list(items, `parties.${key}`)]),
      )
    : list(parties, 'parties');
  return { ...mapping, body: { ...mapping.body, parties: changed } };
}

function listedParties({
  body,
}: BatchMapping): readonly { readonly at: string; readonly party: Party }[] {
  const { parties } = body;
  const of = (items: Json | undefined, path: string) =>
    (Array.isArray(items) ? items : []).flatMap((party, index) =>
      isObject(party) ? [{ at: `${path}.${index}`, party }] : [],
    );
  if (parties === undefined || !isObject(parties)) return of(parties, 'parties');
  return Object.entries(parties).flatMap(([key, items]) => of(items, `parties.${key}`));
}

function nameOf(party: Party): string | null {
  const found = IDENTIFYING_FIELDS.map((name) => party[name]).find(
    (text) => typeof text === 'string' && text.includes('{'),
  );
  return typeof found === 'string' ? found : null;
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
