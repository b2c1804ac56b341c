import type { DraftFile } from '../../../shared/contract/drafts.ts';
import type { Loss, LossCode } from '../../../shared/contract/draft-history.ts';
import type {
  SettingSource,
  EffectiveSetting,
} from '../../../shared/rules/drafts/effective-language.ts';
import type { FileId } from '../../../shared/model/ids.ts';
import { toIntlLocale } from '../../../shared/rules/text/locales.ts';
import { currentLanguage, m } from '../../ui/language.svelte.ts';
import type { Medium, Notice } from './notices/notices.ts';
import type { DraftSection } from './editor/problems.svelte.ts';
import { notificationName } from '../../ui/notification-words.ts';
import { formatNames } from '../../ui/format.ts';

/** Name of a locale in the user's language, such as “Swedish (Sweden)” for `sv_SE`. */
export function localeName(locale: string): string {
  try {
    const names = new Intl.DisplayNames(currentLanguage(), { type: 'language' });
    return names.of(toIntlLocale(locale)) ?? locale;
  } catch {
    // Not a valid language: it is shown unchanged, and validation reports the problem.
    return locale;
  }
}

const settingSourceTexts = {
  notification: m.effective_notification,
  party: m.effective_party,
  'agreement-messages': m.effective_messages,
  agreement: m.effective_agreement,
  webhook: m.effective_webhook,
  account: m.effective_account,
} as const satisfies Record<SettingSource, unknown>;

/** The effective value and its source, such as “Swedish, as for all of the agreement”. */
export function effectiveWords(
  { value, from }: EffectiveSetting,
  nameOf: (value: string) => string,
): string {
  return from === 'account' || value === null
    ? m.effective_account()
    : settingSourceTexts[from]({ value: nameOf(value) });
}

const mediumNames = {
  EMAIL: m.medium_email,
  SMS: m.medium_sms,
  WEBHOOK: m.medium_webhook,
} as const satisfies Record<Medium, () => string>;

export const mediumName = (medium: Medium): string => mediumNames[medium]();

/** Name of a document: its own, its file's, or a text for a file that is already on the service. */
export function attachmentName(
  row: {
    readonly name?: string | undefined;
    readonly file?: FileId | undefined;
    readonly token?: string | undefined;
  },
  files: readonly DraftFile[],
): string {
  const name = row.name ?? files.find(({ id }) => id === row.file)?.name;
  return name ?? m.draft_token({ token: row.token ?? '' });
}

const LETTERS = 26;

/** Letter of a party by its position among all parties. */
export const partyLetter = (place: number): string =>
  String.fromCharCode('A'.charCodeAt(0) + (place % LETTERS));

/** Summary of the chosen notifications in one line. */
export function noticeSummary(
  { notifications }: { readonly notifications?: readonly Notice[] | undefined },
  language: string,
): string {
  if (notifications === undefined) return `${m.notice_summary_standard()} · ${language}`;
  if (notifications.length === 0) return m.notice_summary_none();
  const events = [...new Set(notifications.map(({ type }) => type))];
  return m.notice_summary_custom({ events: formatNames(events.map(notificationName)) });
}

export const sectionTitles = {
  documents: m.draft_section_documents,
  parties: m.draft_section_parties,
  notifications: m.draft_section_notifications,
  dates: m.draft_section_dates,
  fields: m.draft_section_fields,
  sharing: m.draft_section_sharing,
  tags: m.draft_section_tags,
  advanced: m.draft_section_advanced,
} as const satisfies Record<DraftSection, () => string>;

/** Messages that v2 sends by email (API v2, "notificationMessages"). */
export const messageWords = {
  posted: m.message_posted,
  signed: m.message_signed,
  closed: m.message_closed,
  rejected: m.message_rejected,
  autoRejectionReminder: m.message_auto_reminder,
  autoRejection: m.message_auto_rejection,
} as const;

export const yesNoWords = (value: boolean | null | undefined): string => {
  if (value === true) return m.draft_yes();
  return value === false ? m.draft_no() : m.draft_account_decides();
};

const lossTextsByCode = {
  'deletion-date': m.loss_deletion_date,
  'reference-documents': m.loss_reference_documents,
  'uploaded-files': m.loss_uploaded_files,
  'free-text': m.loss_free_text,
  template: m.loss_template,
  method: m.loss_method,
  identification: m.loss_identification,
  'identity-text': m.loss_identity_text,
  'drawn-signature': m.loss_drawn_signature,
  notifications: m.loss_notifications,
  configurations: m.loss_configurations,
  'access-rights': m.loss_access_rights,
  'return-links': m.loss_return_links,
  tags: m.loss_tags,
  reminders: m.loss_reminders,
  webhook: m.loss_webhook,
  'allowed-persons': m.loss_allowed_persons,
  viewing: m.loss_viewing,
  'own-company': m.loss_own_company,
  'company-contact': m.loss_company_contact,
  country: m.loss_country,
  'expiry-rounded': m.loss_expiry_rounded,
  'personal-numbers': m.loss_personal_numbers,
  addresses: m.loss_addresses,
  files: m.loss_files,
  messages: m.loss_messages,
  'signing-order': m.loss_signing_order,
} as const satisfies Record<LossCode, () => string>;

/** A value missing in a copy, and whose value it is. */
export const lossText = ({ code, about }: Loss): string =>
  about === '' ? lossTextsByCode[code]() : `${about}: ${lossTextsByCode[code]()}`;
