import { bundleStale, hosts, page } from '../bundle/bundle.ts';

/** Vitest calls it before the first test: the command line and the window are tested as shipped. */
export async function setup(): Promise<void> {
  await bundleStale([page, hosts]);
}
