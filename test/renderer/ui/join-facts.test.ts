import { expect, it } from 'vitest';
import { joinFacts } from '../../../renderer/ui/join-facts.ts';

it('facts are joined in one line, without missing or empty facts', () => {
  expect(joinFacts(['2 pages', null, '', undefined, '214 kB'])).toBe('2 pages · 214 kB');
  expect(joinFacts([null, ''])).toBe('');
  expect(joinFacts([])).toBe('');
});
