import type { PartyV1 } from '../../../../shared/model/agreement-v1.ts';

type Own = 'firstName' | 'lastName' | 'name' | 'country' | 'personNumber' | 'companyNumber';

/**
 * API v1, "Party (request)": the keys that only some types may carry. Our own company's come from
 * the account, and the service refuses a request that holds one of them, even an empty one.
 */
const carries = {
  PRIVATE: ['firstName', 'lastName', 'country', 'personNumber'],
  COMPANY: ['name', 'country', 'companyNumber'],
  MY_COMPANY: [],
} as const satisfies Record<PartyV1['type'], readonly Own[]>;

const owned = [
  'firstName',
  'lastName',
  'name',
  'country',
  'personNumber',
  'companyNumber',
] as const satisfies readonly Own[];

/** What was written about parties before their type was changed, while the draft is open. */
export class PartyMemory {
  readonly #written = new WeakMap<PartyV1, Partial<Record<Own, string>>>();

  /** Changes the type; what the new one may not carry is taken away, and comes back with the old. */
  convert(party: PartyV1, type: PartyV1['type']): void {
    const written = { ...this.#written.get(party) };
    const allowed: readonly Own[] = carries[type];
    for (const key of owned) {
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
