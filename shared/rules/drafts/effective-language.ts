import type { DraftBodyV1 } from '../../contract/drafts.ts';
import type { PartyV1 } from '../../model/agreement-v1.ts';
import { textOrNullIfEmpty } from './parts/findings.ts';

type Notification = NonNullable<PartyV1['notifications']>[number];

/** Level at which the effective setting was made; the value of `account` is only on the service. */
export type SettingSource =
  | 'notification'
  | 'party'
  | 'agreement-messages'
  | 'agreement'
  | 'webhook'
  | 'account';

export interface EffectiveSetting {
  /** Effective value; null if the account's setting applies, which only the service knows. */
  readonly value: string | null;
  readonly from: SettingSource;
}

/** API v1, "Locales": language of every webhook. */
const WEBHOOK_LOCALE = 'en_US';

interface Message {
  readonly body: Pick<DraftBodyV1, 'configurations'>;
  /** Recipient; null for messages to the owner. */
  readonly party: PartyV1 | null;
  /** Notification block of the message; null for the service's standard messages. */
  readonly block: Notification | null;
}

/**
 * Language of a message (API v1, "Party configuration"). We assume that the agreement's setting for
 * messages overrides its general one: the API does not document which wins.
 */
export function effectiveLocale(message: Message): EffectiveSetting {
  const isHook = message.block?.recipients?.some(({ medium }) => medium === 'WEBHOOK') === true;
  return isHook ? { value: WEBHOOK_LOCALE, from: 'webhook' } : effectiveSetting(message, 'locale');
}

/** Time zone of the times in a message; settings have the same priority as for the language. */
export function effectiveZone(message: Message): EffectiveSetting {
  return effectiveSetting(message, 'timeZone');
}

function effectiveSetting(
  { body, party, block }: Message,
  key: 'locale' | 'timeZone',
): EffectiveSetting {
  const ofAgreement = (type: 'NOTIFICATION' | 'DEFAULT') =>
    body.configurations?.find((one) => one.type === type)?.[key];
  const places: readonly (readonly [SettingSource, string | undefined])[] = [
    ['notification', block?.[key]],
    ['party', party?.configurations?.find((one) => textOrNullIfEmpty(one[key]) !== null)?.[key]],
    ['agreement-messages', ofAgreement('NOTIFICATION')],
    ['agreement', ofAgreement('DEFAULT')],
  ];
  for (const [from, text] of places) {
    const value = textOrNullIfEmpty(text);
    if (value !== null) return { value, from };
  }
  return { value: null, from: 'account' };
}
