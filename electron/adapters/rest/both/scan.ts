import type { ScanReading, SeenAgreement } from '../../../core/outbox/ports.ts';

/**
 * Maximum number of readings of a list that keeps changing; after these, the list proves nothing.
 */
const MAX_ROUNDS = 3;

/** One page of a scan, with the service's total count. */
export interface ScanPage {
  readonly seen: readonly SeenAgreement[];
  readonly total: number;
  readonly serverTime: number | null;
}

/**
 * Reads a list until it is complete. A complete list has as many different agreements as its count,
 * and the same count on every page.
 */
export async function readWhole(
  pages: () => AsyncIterable<ScanPage>,
  onPage: () => void,
): Promise<ScanReading> {
  let read = await readScanOnce(pages, onPage);
  for (let round = 1; round < MAX_ROUNDS && read.incompleteReason !== null; round += 1) {
    read = await readScanOnce(pages, onPage);
  }
  return read;
}

async function readScanOnce(
  pages: () => AsyncIterable<ScanPage>,
  onPage: () => void,
): Promise<ScanReading> {
  const seen = new Map<string, SeenAgreement>();
  const totals = new Set<number>();
  let count = 0;
  let serverTime: number | null = null;
  for await (const page of pages()) {
    for (const one of page.seen) seen.set(one.id, one);
    totals.add(page.total);
    count += 1;
    serverTime = page.serverTime ?? serverTime;
    onPage();
  }
  const isWhole = totals.size === 1 && totals.has(seen.size);
  return {
    seen: [...seen.values()],
    pages: count,
    incompleteReason: isWhole ? null : 'unstable',
    serverTime,
  };
}
