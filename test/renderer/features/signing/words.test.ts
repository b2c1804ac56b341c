import { expect, it } from 'vitest';
import { SigningItem } from '../../../../shared/contract/signing.ts';
import { reviewFactText } from '../../../../renderer/features/signing/words.ts';

const ID = '0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02';

it('the time of a review is followed by the name of the person who reviewed', () => {
  const item = SigningItem.parse({
    connectionId: ID,
    id: 'lease',
    partyId: 'us',
    partyName: 'Kontoret',
    others: [],
    title: 'Hyresavtal',
    since: null,
    expiresAt: null,
    state: 'ready',
    readable: true,
    review: {
      number: 1,
      at: 1,
      person: 'Karin Lindqvist',
      personId: ID,
      seat: null,
      how: 'elsewhere',
      isCurrent: true,
    },
    approval: null,
    allowed: null,
  });
  expect(reviewFactText(item)).toMatch(/ · Karin Lindqvist$/);
});
