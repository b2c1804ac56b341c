/** Set by `npm run nightly`: the runs that need many kills and rows are then as long as they can be. */
export const WHOLE_RUNS = 'SIGNING_DESK_WHOLE_RUNS';
/** Set by `npm run properties`: how many cases of each property there are. */
export const PROPERTY_RUNS = 'PROPERTY_RUNS';

/** What builds or installs the program once more, and takes minutes, is for the night. */
export const isAtNight = process.env[WHOLE_RUNS] !== undefined;

/**
 * How long such a run is: the whole of it each night, and in every run of all tests one that meets
 * the same kinds of faults and kill points, each fewer times.
 */
export function runLength<Length>({ whole, short }: Record<'whole' | 'short', Length>): Length {
  return isAtNight ? whole : short;
}
