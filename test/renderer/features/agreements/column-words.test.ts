import { expect, it } from 'vitest';
import { damageText } from '../../../../renderer/features/agreements/column-words.ts';
import { listRow } from '../../../support/fakes/fake-list.ts';

it('a row of the list notes that its archived file is missing or changed', () => {
  const noteOf = (archiveDamage: 'missing' | 'changed' | null) =>
    damageText(Object.assign(listRow('1'), { archiveDamage }));
  expect(noteOf('missing')).toBe('archived PDF missing');
  expect(noteOf('changed')).toBe('archived PDF changed');
  expect(noteOf(null)).toBeNull();
});
