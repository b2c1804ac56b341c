import { bundleStale, hosts } from '../bundle/bundle.ts';

/**
 * Vitest calls it before the first test of `node`: the command line and the threads run as shipped.
 */
export async function setup(): Promise<void> {
  await bundleStale([hosts]);
}
