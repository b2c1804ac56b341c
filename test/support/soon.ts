import { expect } from 'vitest';

/**
 * Waits until something is so, as long as polls may take; the failure names what was waited for.
 * Counts as an assertion.
 */
export async function expectSoon(
  what: string,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  await expect.poll(isSo, { message: `waited in vain: ${what}` }).toBe(true);
}
