import { Refusal } from '../server/refusal.ts';
import { parseCompactStamp, SECOND } from '../server/stamps.ts';
import type { Agreement } from '../state/record-v1.ts';

const INCLUDE_VALUES = [
  'attachments',
  'parties',
  'notifications',
  'accessRights',
  'links',
  'tags',
  'parties.notifications',
  'parties.links',
  'parties.signingConfigurations',
  'parties.signingResult',
  'parties.rejectionResult',
  'attachments.fields',
  'parties.identificationConfigurations',
  'parties.signingConfigurations.tbs',
  'owner',
  'owner.links',
];

/** The resource types of `fields[TYPE]`; the plural and any case are also accepted. */
const RESOURCE_TYPES = [
  'agreement',
  'attachment',
  'party',
  'notification',
  'accessRight',
  'link',
  'field',
  'signingConfiguration',
  'identificationConfiguration',
  'owner',
] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** The parts of an agreement that a response contains. */
export interface Shape {
  readonly includes: ReadonlySet<string>;
  readonly fields: ReadonlyMap<ResourceType, ReadonlySet<string>>;
}

export const defaultResponseShape: Shape = { includes: new Set(), fields: new Map() };

export type Filter = (agreement: Agreement) => boolean;

/** The states selected by each value of `filter[state]`. */
const stateFilters: Readonly<Record<string, readonly string[]>> = {
  READY_TO_SIGN: ['READY_TO_SIGN'],
  SIGNED: ['SIGNED'],
  AWAITING: ['READY_TO_SIGN', 'SIGNED'],
  SIGNED_BY_ALL: ['SIGNED_BY_ALL'],
  CLOSED: ['SIGNED_BY_ALL'],
  REJECTED: ['REJECTED'],
  REVOKED: ['REVOKED'],
  CANCELLED: ['REJECTED', 'REVOKED'],
};

/** @throws Refusal with 400 for an undocumented parameter, include or type. */
export function readShape(query: URLSearchParams, others: readonly string[] = []): Shape {
  const includes = new Set(splitAtCommas(query.get('include')));
  for (const one of includes) {
    if (!INCLUDE_VALUES.includes(one)) throw new Refusal(400, `Unknown include '${one}'.`);
    const parent = one.split('.').slice(0, -1).join('.');
    if (parent !== '' && !includes.has(parent)) {
      throw new Refusal(400, `The include '${one}' needs '${parent}'.`);
    }
  }
  const fields = new Map<ResourceType, ReadonlySet<string>>();
  for (const [key, value] of query) {
    const type = /^fields\[(.+)\]$/.exec(key)?.[1];
    if (type !== undefined) fields.set(readType(type), new Set(splitAtCommas(value)));
    else if (key !== 'include' && !others.includes(key)) {
      throw new Refusal(400, `Unknown query parameter '${key}'.`);
    }
  }
  return { includes, fields };
}

/** @throws Refusal with 400 for more than one filter, or an undocumented one. */
export function readFilter(query: URLSearchParams): Filter {
  const state = query.get('filter[state]');
  const activity = query.get('filter[lastActivityOn]');
  if (state !== null && activity !== null) {
    throw new Refusal(400, 'Only one filter per request is allowed.');
  }
  if (activity !== null) return readActivity(activity);
  if (state === null) return () => true;
  const states = Object.hasOwn(stateFilters, state) ? stateFilters[state] : undefined;
  if (states === undefined) throw new Refusal(400, `Unknown state '${state}'.`);
  return (agreement) => states.includes(agreement.state);
}

function readActivity(value: string): Filter {
  const [search, ...dates] = value.split(':');
  const [first, second] = dates.map(parseCompactStamp);
  const isBetween = search === 'between';
  const isKnown = isBetween || search === 'before' || search === 'after';
  const missing = typeof first !== 'number' || (isBetween && typeof second !== 'number');
  if (!isKnown || missing || dates.length > 2) {
    throw new Refusal(400, 'filter[lastActivityOn] must be <SEARCH_TYPE>:<DATE_1>[:<DATE_2>].');
  }
  return (agreement) => {
    const exact = comparedInstant(agreement);
    if (exact === null) return false;
    const at = Math.floor(exact / SECOND) * SECOND;
    if (isBetween) return at >= first && at <= (second ?? first);
    return search === 'before' ? at < first : at > first;
  };
}

/**
 * Returns the time that `filter[lastActivityOn]` is compared with (epoch ms); null for agreements
 * in other states, which never match.
 */
function comparedInstant(agreement: Agreement): number | null {
  switch (agreement.state) {
    case 'READY_TO_SIGN':
      return agreement.postedOn;
    case 'SIGNED':
      return agreement.lastSignedOn;
    case 'SIGNED_BY_ALL':
      return agreement.closedOn;
    case 'REJECTED':
      return agreement.rejectedOn;
    case 'REVOKED':
      return agreement.revokedOn;
    case 'DRAFT':
    case 'READY_TO_SEND':
    case 'EXPIRED':
      return null;
  }
}

function readType(text: string): ResourceType {
  const wanted = text.toLowerCase();
  const found = RESOURCE_TYPES.find((type) => {
    const singular = type.toLowerCase();
    return [singular, `${singular}s`, singular.replace(/y$/, 'ies')].includes(wanted);
  });
  if (found === undefined) throw new Refusal(400, `Unknown type '${text}' in fields.`);
  return found;
}

function splitAtCommas(text: string | null): string[] {
  return (text ?? '').split(',').filter((item) => item !== '');
}
