import type { PartyV1 } from '../../../../shared/model/agreement-v1.ts';

type TypeSpecificKey =
  | 'firstName'
  | 'lastName'
  | 'name'
  | 'country'
  | 'personNumber'
  | 'companyNumber';

/**
 * Keys that only some types of parties may have (API v1, "Party (request)"). Those of our own
 * company come from the account; the service rejects a request with one of them, even an empty one.
 */
const keysByPartyType = {
  PRIVATE: ['firstName', 'lastName', 'country', 'personNumber'],
  COMPANY: ['name', 'country', 'companyNumber'],
  MY_COMPANY: [],
} as const satisfies Record<PartyV1['type'], readonly TypeSpecificKey[]>;

const typeSpecificKeys = [
  'firstName',
  'lastName',
  'name',
  'country',
  'personNumber',
  'companyNumber',
] as const satisfies readonly TypeSpecificKey[];

/** Values of parties before their type was changed, while the draft is open. */
export class PartyMemory {
  readonly #written = new WeakMap<PartyV1, Partial<Record<TypeSpecificKey, string>>>();

  /**
   * Changes the type. Values that the new type may not have are removed, and restored if the user
   * chooses the old type again.
   */
  convert(party: PartyV1, type: PartyV1['type']): void {
    const written = { ...this.#written.get(party) };
    const allowed: readonly TypeSpecificKey[] = keysByPartyType[type];
    for (const key of typeSpecificKeys) {
      const text = party[key];
      if (text !== undefined) written[key] = text;
      const remembered = written[key];
      if (!allowed.includes(key)) delete party[key];
      else if (remembered !== undefined) party[key] = remembered;
    }
    this.#written.set(party, written);
    party.type = type;
  }
}
