import { expect } from 'vitest';

/**
 * Waits until a condition is true, up to the poll timeout; the failure names the condition. Counts
 * as an assertion.
 */
export async function expectSoon(
  what: string,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  await expect.poll(isSo, { message: `waited in vain: ${what}` }).toBe(true);
}
