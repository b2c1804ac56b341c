import { expect, it } from 'vitest';
import { typedTextOf } from '../../../../../renderer/features/batches/check/cell-keys.ts';

const none = { ctrlKey: false, altKey: false, metaKey: false, isComposing: false };
const typed = (key: string, held: Partial<typeof none> = {}, hasAltGr = false): string | null =>
  typedTextOf({ key, ...none, ...held, getModifierState: () => hasAltGr });

it('a character of any keyboard starts editing a cell, and so do input methods and dead keys (SC-13)', () => {
  expect(['7', 'å', 'Ж', '漢', '@'].map((key) => typed(key))).toEqual(['7', 'å', 'Ж', '漢', '@']);
  expect(typed('@', { ctrlKey: true, altKey: true }, true)).toBe('@');
  expect([typed('Dead'), typed('Process'), typed('a', { isComposing: true })]).toEqual([
    '',
    '',
    '',
  ]);
});

it('commands, Space and keys without a character do not start editing a cell (SC-13)', () => {
  expect(['Enter', 'F8', 'ArrowDown', ' '].map((key) => typed(key))).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect([typed('z', { ctrlKey: true }), typed('v', { metaKey: true })]).toEqual([null, null]);
});
