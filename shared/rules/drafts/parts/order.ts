import type { Findings } from './findings.ts';

/** Checks for a whole number from 1; parties with equal numbers sign at the same time (v1, v2). */
export function checkSigningOrder(order: number | undefined, at: string, findings: Findings): void {
  if (order !== undefined && (!Number.isInteger(order) || order < 1)) findings.error(at, 'order');
}
