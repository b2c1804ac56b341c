/** How this service behaves where the documentation of the two APIs is unclear. */
export interface Behaviour {
  /** Maximum `page[size]` of v1 lists; larger values are reduced to this one. */
  readonly pageCap: number;
  readonly pageDefault: number;
  readonly firstPage: 0 | 1;
  readonly errors: ErrorShape;
  /** Object whose ETag the endpoints of a notification return and require (v1). */
  readonly etagOwner: 'agreement' | 'notification';
  readonly v2Zone: Zone;
  /** Meaning of "CET" in `from` and `to` of v2's list. */
  readonly v2FilterZone: Zone;
  /**
   * Handling of the header accountId of v2's Sign; with `optional`, it is checked only if it is
   * sent.
   */
  readonly accountIdOnSign: 'optional' | 'required' | 'ignored' | 'forbidden';
  /** Delay between the response and the time when a new agreement is visible (ms). */
  readonly commitDelayMs: number;
  readonly listLagMs: number;
  /**
   * Result of a v2 create request with the token of a file that another create request has used.
   */
  readonly usedToken: 'refused' | 'accepted';
  /**
   * Whether names and titles are kept unchanged, or changed to single spaces and one Unicode form
   * (NFC).
   */
  readonly names: 'kept' | 'tidied';
}

export type ErrorShape = 'json-api' | 'nested' | 'rfc9457' | 'spring' | 'plain' | 'html' | 'empty';

export type Zone = 'Europe/Stockholm' | '+01:00' | 'UTC';

/** Behaviour by the most likely meaning of the API documentation, without any delay. */
export const defaultBehaviour: Behaviour = {
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
