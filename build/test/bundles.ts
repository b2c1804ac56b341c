import { bundleStale, hosts, page } from '../bundle/bundle.ts';

/**
 * Bundles the program; Vitest calls this before the first test, so that the command line and the
 * window are tested as shipped.
 */
export async function setup(): Promise<void> {
  await bundleStale([page, hosts]);
}
