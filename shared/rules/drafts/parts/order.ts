import type { Findings } from './findings.ts';

/** A whole number from 1, equal numbers sign at the same time; both APIs. */
export function checkOrder(order: number | undefined, at: string, findings: Findings): void {
  if (order !== undefined && (!Number.isInteger(order) || order < 1)) findings.error(at, 'order');
}
