/** How this service behaves where the documentation of the two APIs is unclear. */
export interface Behaviour {
  /** Maximum `page[size]` of v1 lists; larger values are reduced to it. */
  readonly pageCap: number;
  readonly pageDefault: number;
  readonly firstPage: 0 | 1;
  readonly errors: ErrorShape;
  /** Whose ETag a notification's endpoints return and require (v1). */
  readonly etagOwner: 'agreement' | 'notification';
  readonly v2Zone: Zone;
  /** Meaning of "CET" in `from` and `to` of v2's list. */
  readonly v2FilterZone: Zone;
  /** The header accountId of v2's Sign; `optional` checks it only if it is sent. */
  readonly accountIdOnSign: 'optional' | 'required' | 'ignored' | 'forbidden';
  /** Delay after the response before a new agreement is visible. */
  readonly commitDelayMs: number;
  readonly listLagMs: number;
  /** A v2 create with the token of a file that another create has used. */
  readonly usedToken: 'refused' | 'accepted';
  /** Names and titles unchanged, or with single spaces and in one Unicode form (NFC). */
  readonly names: 'kept' | 'tidied';
}

export type ErrorShape = 'json-api' | 'nested' | 'rfc9457' | 'spring' | 'plain' | 'html' | 'empty';

export type Zone = 'Europe/Stockholm' | '+01:00' | 'UTC';

/** The most likely meaning of each text, without any delay. */
export const usualBehaviour: Behaviour = {
  pageCap: 100,
  pageDefault: 20,
  firstPage: 1,
  errors: 'json-api',
  etagOwner: 'agreement',
  v2Zone: 'Europe/Stockholm',
  v2FilterZone: 'Europe/Stockholm',
  accountIdOnSign: 'optional',
  commitDelayMs: 0,
  listLagMs: 0,
  usedToken: 'refused',
  names: 'kept',
};

export function nameOf(text: string, { names }: Pick<Behaviour, 'names'>): string {
  return names === 'kept' ? text : text.normalize().replaceAll(/\s+/gu, ' ').trim();
}
