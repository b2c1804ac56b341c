/** What the texts of the two APIs leave open, and how this service reads it. */
export interface Behaviour {
  /** Greatest `page[size]` of v1 lists; more is cut to it. */
  readonly pageCap: number;
  /** `page[size]` of v1 lists when none is asked for. */
  readonly pageDefault: number;
  /** Number of the first page of v1 lists. */
  readonly firstPage: 0 | 1;
  /** Form of v1's error bodies. */
  readonly errors: ErrorShape;
  /** Whose ETag a notification's endpoints carry and ask for (v1). */
  readonly etagOwner: 'agreement' | 'notification';
  /** Zone of the times in v2's answers. */
  readonly v2Zone: Zone;
  /** What v2's list means by "CET" in `from` and `to`. */
  readonly v2FilterZone: Zone;
  /** The header accountId on v2's Sign; `optional` checks it only when it is sent. */
  readonly accountIdOnSign: 'optional' | 'required' | 'ignored' | 'forbidden';
  /** How long after its answer a new agreement can first be seen. */
  readonly commitDelayMs: number;
  /** How far lists lag behind what was changed. */
  readonly listLagMs: number;
  /** A v2 create with the token of a file that another create has used. */
  readonly usedToken: 'refused' | 'accepted';
  /** Names and titles as they came, or with single blanks and in one form of Unicode (NFC). */
  readonly names: 'kept' | 'tidied';
}

export type ErrorShape = 'json-api' | 'nested' | 'rfc9457' | 'spring' | 'plain' | 'html' | 'empty';

export type Zone = 'Europe/Stockholm' | '+01:00' | 'UTC';

/** The likeliest reading of each text, and no delay anywhere. */
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

/** What this service keeps of a name or a title. */
export function nameOf(text: string, { names }: Pick<Behaviour, 'names'>): string {
  return names === 'kept' ? text : text.normalize().replaceAll(/\s+/gu, ' ').trim();
}
