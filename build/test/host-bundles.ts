import { bundleStale, hosts } from '../bundle/bundle.ts';

/**
 * Bundles the hosts; Vitest calls this before the first test of the project `node`, so that the
 * command line and the threads run as shipped.
 */
export async function setup(): Promise<void> {
  await bundleStale([hosts]);
}
