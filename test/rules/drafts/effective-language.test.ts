import { expect, it } from 'vitest';
import type { DraftBodyV1 } from '../../../shared/contract/drafts.ts';
import type { PartyV1 } from '../../../shared/model/agreement-v1.ts';
import { effectiveLocale, effectiveZone } from '../../../shared/rules/drafts/effective-language.ts';

const party: PartyV1 = {
  type: 'PRIVATE',
  signingConfigurations: [],
  configurations: [{ type: 'NOTIFICATION', locale: 'da_DK' }],
};
const body: DraftBodyV1 = {
  title: '',
  attachments: [],
  parties: [party],
  configurations: [
    { type: 'DEFAULT', locale: 'fi_FI', timeZone: 'Europe/Helsinki' },
    { type: 'NOTIFICATION', locale: 'nb_NO' },
  ],
};

it('a message uses the nearest chosen language, and shows where it was chosen (T1-92)', () => {
  const block = { type: 'SIGNED' as const, locale: 'pl_PL' };
  const plain = { type: 'SIGNED' as const };
  const general = { ...body, configurations: [{ type: 'DEFAULT' as const, locale: 'fi_FI' }] };
  const bare: DraftBodyV1 = { title: '', attachments: [], parties: [party] };
  const said = [
    effectiveLocale({ body, party, block }),
    effectiveLocale({ body, party, block: plain }),
    effectiveLocale({ body, party: null, block: plain }),
    effectiveLocale({ body: general, party: null, block: null }),
    effectiveLocale({ body: bare, party: null, block: null }),
  ];
  expect(said).toEqual([
    { value: 'pl_PL', from: 'notification' },
    { value: 'da_DK', from: 'party' },
    { value: 'nb_NO', from: 'agreement-messages' },
    { value: 'fi_FI', from: 'agreement' },
    { value: null, from: 'account' },
  ]);
});

it('a webhook uses English, despite a chosen language (T1-92)', () => {
  const recipients = [{ medium: 'WEBHOOK' as const, address: 'https://example.com' }];
  const block = { type: 'SIGNED' as const, locale: 'sv_SE', recipients };
  expect(effectiveLocale({ body, party: null, block }).value).toBe('en_US');
});

it('an empty time zone counts as not chosen, and the next setting applies (T1-91)', () => {
  const block = { type: 'SIGNED' as const, timeZone: '' };
  const found = effectiveZone({ body, party: null, block });
  expect(found).toEqual({ value: 'Europe/Helsinki', from: 'agreement' });
});
