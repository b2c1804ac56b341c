import { expect, it } from 'vitest';
import { correctionName } from '../../../../renderer/features/batches/words.ts';

it('the batch with refused rows has another name than every batch before', () => {
  expect(correctionName('hyror', ['hyror'])).toBe('hyror, correction 1');
  const known = ['hyror', 'hyror, correction 1', 'hyror, correction 2'];
  expect(correctionName('hyror', known)).toBe('hyror, correction 3');
});
