import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import { DAY } from '../../shared/rules/time/units.ts';

const YEARS = 5;
/** Current time of the generated office (epoch ms). */
export const NOW = Date.UTC(2026, 10, 21, 12);

const things = [
  'Lease', 'Employment', 'NDA', 'Order', 'Purchase', 'Board minutes', 'Consulting', 'Loan',
  'Maintenance', 'Hyresavtal', 'Anställningsavtal', 'Köpeavtal', 'Fullmakt', 'Uppdragsavtal',
] as const; // oxfmt-ignore
const streets = [
  'Storgatan', 'Kungsgatan', 'Drottninggatan', 'Vasagatan', 'Skolgatan', 'Ågatan', 'Ängsvägen',
  'Östra Hamngatan', 'Parkvägen', 'Nygatan', 'Järnvägsgatan', 'Kyrkogatan',
] as const; // oxfmt-ignore
const given = [
  'Astrid', 'Ola', 'Åsa', 'Erik', 'Maja', 'Łukasz', 'Ingrid', 'Lars', 'Karin', 'Mikael', 'Zoë',
  'Björn', 'Elin', 'Gustav', 'Märta', 'Ömer', 'Frida', 'Nils', 'Saga', 'Viktor',
] as const; // oxfmt-ignore
const syllables = [
  'Berg', 'Lund', 'Sten', 'Gran', 'Ek', 'Sjö', 'Öst', 'Norr', 'Ny', 'Alm', 'Dal', 'Hag', 'Lind',
] as const; // oxfmt-ignore
const endings = ['ström', 'kvist', 'man', 'gren', 'holm', 'qvist', 'blad', 'fors', 'by'] as const;

/** Random numbers that are the same in every run (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Agreements of a busy office over five years, newest first, as the service lists them. */
export function* manyAgreements(count: number, seed = 1): Generator<RemoteAgreement> {
  const next = chance(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const found = items[Math.floor(next() * items.length)];
    if (found === undefined) throw new RangeError('Nothing to pick from');
    return found;
  };
  const hex = (length: number): string => {
    let text = '';
    while (text.length < length) text += Math.floor(next() * 0x10000000).toString(16);
    return text.slice(0, length);
  };
  for (let index = 0; index < count; index += 1) {
    const age = (index / count) * YEARS * 365 * DAY + next() * 1000;
    const sentAt = Math.floor(NOW - age);
    const isOld = age > 60 * DAY;
    const fate = next();
    const state = isOld
      ? fate < 0.85 ? 'signed' : fate < 0.9 ? 'rejected' : fate < 0.95 ? 'expired' : 'revoked'
      : fate < 0.4 ? 'waiting' : fate < 0.6 ? 'part-signed' : 'signed'; // oxfmt-ignore
    const isClosed = state !== 'waiting' && state !== 'part-signed';
    const closedAt = isClosed ? sentAt + Math.floor(next() * 14 * DAY) : null;
    const updatedAt = closedAt ?? sentAt + Math.floor(next() * 5 * DAY);
    const id = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
    yield {
      id,
      title: `${pick(things)} ${pick(streets)} ${String(Math.floor(next() * 200))} (${String(index)})`,
      state,
      nativeState: state === 'signed' ? 'SIGNED_BY_ALL' : state.toUpperCase(),
      createdAt: sentAt,
      sentAt,
      updatedAt,
      closedAt,
      expiresAt: sentAt + Math.floor((7 + next() * 60) * DAY),
      deletesAt: null,
      parties: Array.from({ length: 1 + Math.floor(next() * 3) }, (_, order) => {
        const [first, last] = [pick(given), `${pick(syllables)}${pick(endings)}`];
        return {
          id: `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
          kind: 'person',
          name: `${first} ${last}`,
          state: state === 'signed' ? 'signed' : 'turn',
          nativeState: 'READY_TO_SIGN',
          methods: ['EID'],
          order,
          email: `${first}.${last}${String(Math.floor(next() * 500))}@example.com`.toLowerCase(),
          mobile: null,
          country: 'SE',
          orgNo: null,
          signedAt: state === 'signed' ? closedAt : null,
          rejectedReason: null,
          apiSigning: null,
          allowedPersons: null,
        };
      }),
      documents: null,
      tags: {
        case: `K-${String(Math.floor(next() * 5000))}`,
        office: pick(['Malmö', 'Umeå', 'Örebro']),
      },
      timeline: [{ at: sentAt, what: 'sent', party: null }],
      etag: null,
      native: JSON.stringify({ id, text: hex(500) }),
    };
  }
}
