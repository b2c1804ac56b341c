import { type Cases, MOBILE } from './bodies.ts';

const EMAIL = { medium: 'EMAIL', address: 'bo@example.com' };
const SMS = { medium: 'SMS', address: MOBILE };
const WEBHOOK = { medium: 'WEBHOOK', address: 'https://example.com/hook' };

/** Test cases for the fields of notifications, which v1's body has at two levels. */
export function noticeCases(
  at: string,
  level: 'agreement' | 'party',
  body: (notifications: unknown) => object,
): Cases {
  const block = (change: object) => body([{ type: 'SIGNED_BY_ALL', ...change }]);
  const sent = (recipient: object) => block({ recipients: [recipient] });
  return {
    [at]: { accepted: body([]), refused: body({}) },
    [`${at}[].type`]: { accepted: block({}), refused: block({ type: 'POSTED' }) },
    [`${at}[].templateId`]: {
      accepted: block({ templateId: 'mall-1' }),
      refused: block({ templateId: 1 }),
    },
    [`${at}[].locale`]: { accepted: block({ locale: 'nb_NO' }), refused: block({ locale: ' ' }) },
    [`${at}[].timeZone`]: {
      accepted: block({ timeZone: 'Europe/Helsinki' }),
      refused: block({ timeZone: 'Helsinki' }),
    },
    [`${at}[].placeholders`]: {
      accepted: block({ placeholders: { message: 'Hej!', blank: '' } }),
      refused: block({ placeholders: { message: 5 } }),
    },
    [`${at}[].attachPdf`]: {
      accepted: block({ attachPdf: null }),
      refused: block({ type: 'SIGNED', attachPdf: false }),
    },
    [`${at}[].recipients`]: {
      accepted: block({ recipients: [EMAIL, { ...EMAIL, address: 'eva@example.com' }] }),
      refused: block({ recipients: [EMAIL, SMS] }),
    },
    [`${at}[].recipients[].medium`]: {
      accepted: sent(level === 'agreement' ? WEBHOOK : SMS),
      refused: sent(level === 'agreement' ? { ...EMAIL, medium: 'FAX' } : WEBHOOK),
    },
    [`${at}[].recipients[].address`]: {
      accepted: sent(SMS),
      refused: sent({ ...SMS, address: '0701234567' }),
    },
  };
}
