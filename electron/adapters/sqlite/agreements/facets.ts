import type {
  AgreementCounter,
  AgreementFilter,
} from '../../../../shared/contract/agreement-query.ts';
import { type AgreementState, closedStates } from '../../../../shared/model/agreement.ts';

/** Mask of the three lowest bits of the column `facets`, which are the state's code. */
export const STATE_MASK = 0b111;
const MY_TURN = 1 << 3;
const ARCHIVED = 1 << 4;
const GONE = 1 << 5;
const LIVE = 1 << 6;
/** Number of bits below the connection's number: those of the state and of the flags. */
const CONNECTION_SHIFT = 7;

const codeByState: Readonly<Record<AgreementState, number>> = {
  draft: 0,
  waiting: 1,
  'part-signed': 2,
  signed: 3,
  rejected: 4,
  revoked: 5,
  expired: 6,
  unknown: 7,
};

export const stateCode = (state: AgreementState): number => codeByState[state];

/** Facets that a filter accepts: `facets & mask = bits`, and a state in `states`. */
export interface FacetTest {
  readonly mask: number;
  readonly bits: number;
  /** Bit set of the accepted states, by code. */
  readonly states: number;
}

export const ANY_STATE = 0xff;

const statesIn = (...states: readonly AgreementState[]) =>
  states.reduce((set, state) => set | (1 << codeByState[state]), 0);

/** States of each counter; for the times of counters see `rangesOf` in `query.ts`. */
const statesByCounter: Readonly<
  Record<
    AgreementCounter,
    { readonly states: number; readonly set: number; readonly clear: number }
  >
> = {
  // Agreements with a damaged archived file count even if the service no longer has them.
  attention: { states: ANY_STATE, set: 0, clear: 0 },
  expiring: { states: statesIn('waiting', 'part-signed', 'unknown'), set: LIVE, clear: GONE },
  'my-turn': { states: ANY_STATE, set: LIVE | MY_TURN, clear: GONE },
  'not-archived': { states: statesIn('signed'), set: LIVE, clear: GONE | ARCHIVED },
};

/**
 * Returns the facet part of a filter; null if nothing can match.
 * @param connection number of the filter's connection, if it has one
 */
export function facetTest(
  filter: AgreementFilter,
  connection: number | undefined,
): FacetTest | null {
  const wanted: [set: number, clear: number][] = [];
  const flag = (value: boolean | undefined, bit: number) => {
    if (value !== undefined) wanted.push(value ? [bit, 0] : [0, bit]);
  };
  flag(filter.myTurn, MY_TURN);
  flag(filter.archived, ARCHIVED);
  flag(filter.gone, GONE);
  flag(filter.connected, LIVE);
  let states = filter.states === undefined ? ANY_STATE : statesIn(...filter.states);
  if (filter.counter !== undefined) {
    const counter = statesByCounter[filter.counter];
    wanted.push([counter.set, counter.clear]);
    states &= counter.states;
  }
  const set = wanted.reduce((all, [bits]) => all | bits, 0);
  const clear = wanted.reduce((all, [, bits]) => all | bits, 0);
  if (states === 0 || (set & clear) !== 0) return null;
  // The connection's number uses all bits above the flags.
  const whole = -(1 << CONNECTION_SHIFT);
  return {
    mask: set | clear | (connection === undefined ? 0 : whole),
    bits: set | (connection === undefined ? 0 : connection << CONNECTION_SHIFT),
    states,
  };
}

export function passesFacetTest({ mask, bits, states }: FacetTest, facets: number): boolean {
  return (facets & mask) === bits && ((states >> (facets & STATE_MASK)) & 1) === 1;
}

/** SQL for a `FacetTest`, with the parameters `mask`, `bits` and `states`. */
export const facetSql = `facets & @mask = @bits AND @states >> (facets & ${STATE_MASK}) & 1`;

/** SQL for whether our connection still has the agreement on its service. */
export const isOnServiceSql = `facets & ${LIVE | GONE} = ${LIVE}`;

/** SQL for the connection's number, and for whether the state is final. */
export const connectionSql = `facets >> ${CONNECTION_SHIFT}`;
export const isClosedSql = `facets & ${STATE_MASK} IN (${closedStates.map(stateCode).join()})`;

export const readFacets = (facets: number) => ({
  state: facets & STATE_MASK,
  connection: facets >> CONNECTION_SHIFT,
});
