import type { ConfigurationV1 } from '../../../../shared/model/agreement-v1.ts';
import { parseV1Time } from '../../../../shared/rules/time/wire-time.ts';
import { localeName, yesNoWords } from '../words.ts';
import { formatCount, formatDateTime, formatNames } from '../../../ui/format.ts';
import { m } from '../../../ui/language.svelte.ts';

const settingNames = {
  DEFAULT: m.languages_all,
  NOTIFICATION: m.languages_messages,
  CONTAINER: m.languages_pdf,
  REVIEW_DETAILS: m.advanced_review_visible,
  WATERMARK: m.watermark_title,
  OWNER_DETAILS: m.advanced_sender,
  PDF_SEALING: m.advanced_sealing,
  REJECTION: m.advanced_rejection,
} as const satisfies Record<ConfigurationV1['type'], () => string>;

export const settingName = (type: ConfigurationV1['type']): string => settingNames[type]();

export function settingWords({ type: _type, ...said }: Partial<ConfigurationV1>): string {
  const { locale, sendExpiryReminderOn: stamp, ...rest } = said;
  const words = Object.values(rest).map((value) => {
    if (typeof value === 'boolean') return yesNoWords(value);
    return typeof value === 'number' ? formatCount(value) : (value ?? '').replaceAll('_', ' ');
  });
  const reminds = parseV1Time(stamp ?? '');
  return formatNames(
    [
      locale === undefined ? '' : localeName(locale),
      reminds === null ? (stamp ?? '') : formatDateTime(reminds),
      ...words,
    ].filter((word) => word !== ''),
  );
}
