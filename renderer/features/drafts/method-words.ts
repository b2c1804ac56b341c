import type { SigningMethodV1 } from '../../../shared/model/agreement-v1.ts';
import { SigningMethodV2 } from '../../../shared/model/agreement-v2.ts';
import { m } from '../../ui/language.svelte.ts';

/** Name and strength of a signing method (API v1, "Signing configuration"). */
const methodTextsV1 = {
  EID: { word: m.method_eid, strength: m.draft_strength_eid },
  QES: { word: m.method_qes, strength: m.draft_strength_qes },
  SMS_OTP: { word: m.method_sms_otp, strength: m.draft_strength_sms },
  DRAW: { word: m.method_draw, strength: m.draft_strength_draw },
  CLICK: { word: m.method_click, strength: m.draft_strength_click },
  API: { word: m.method_api, strength: m.draft_strength_api },
} as const satisfies Record<SigningMethodV1, unknown>;

const methodTextsV2 = {
  EID: m.method_eid,
  SMS_OTP: m.method_sms_otp,
  EMAIL_OTP: m.method_email_otp,
  EMAIL: m.method_email,
} as const satisfies Record<SigningMethodV2, () => string>;

/**
 * Methods in the order in which they are offered, with the strongest that most people can use
 * first.
 */
export const methodsV1 = ['EID', 'QES', 'SMS_OTP', 'DRAW', 'CLICK', 'API'] as const;
export const methodsV2 = SigningMethodV2.options;

export const methodV1 = (method: SigningMethodV1): (typeof methodTextsV1)[SigningMethodV1] =>
  methodTextsV1[method];
export const methodV2 = (method: SigningMethodV2): string => methodTextsV2[method]();
