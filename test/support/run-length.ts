/** Name of the environment variable with the length of the fault runs; unset means `short`. */
export const RUN_LENGTH = 'SIGNING_DESK_RUN_LENGTH';
/** Name of the variable with the number of cases of each property; `npm run properties` sets it. */
export const PROPERTY_RUNS = 'PROPERTY_RUNS';

/** `short` in `npm test`, `all` in `npm run test:all`, `whole` in `npm run nightly`. */
export type RunLength = 'short' | 'all' | 'whole';

const LENGTHS: readonly RunLength[] = ['short', 'all', 'whole'];

/** Length of this run, as the runner set it. */
const length: RunLength = LENGTHS.find((one) => one === process.env[RUN_LENGTH]) ?? 'short';

/**
 * Whether this is the nightly run: only then are packages installed and the program built once
 * more.
 */
export const isAtNight = length === 'whole';

/**
 * Chooses the number of kills, rows and steps for this run. Each length has the same kinds of
 * faults and kill points; a shorter one has each of them less often. In a file of the tier `all`,
 * `short` means `all`.
 */
export function runLength<Amounts>({
  whole,
  all,
  short = all,
}: Record<'whole' | 'all', Amounts> & { readonly short?: Amounts }): Amounts {
  return { whole, all, short }[length];
}
