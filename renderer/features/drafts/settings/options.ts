import type { DraftContent } from '../../../../shared/contract/drafts.ts';
import { wallTimeOf } from '../../../../shared/rules/drafts/wall-time.ts';
import { parseV1Time } from '../../../../shared/rules/time/wire-time.ts';
import { formatCalendarDay, formatCount } from '../../../ui/format.ts';
import { m } from '../../../ui/language.svelte.ts';
import { noticeSummary, sectionTitles } from '../words.ts';
import { settingOf } from './settings.ts';

type ContentOf<Api extends DraftContent['api']> = Extract<DraftContent, { readonly api: Api }>;

/** Texts for everything that the options set besides the closing date, which every draft has. */
export function deviations(content: DraftContent): readonly string[] {
  return content.api === 'v1' ? deviationsV1(content.body) : deviationsV2(content.body);
}

/** Summary of the options in words: the closing date first. */
export function optionsSummary(content: DraftContent): string {
  const others = deviations(content);
  return [closingOf(content), ...(others.length > 0 ? others : [m.draft_options_default()])].join(
    ' · ',
  );
}

function closingOf(content: DraftContent): string {
  if (content.api === 'v2') {
    const { expireIn } = content.body;
    return expireIn === undefined
      ? m.draft_options_no_closing()
      : m.draft_options_closes_in({ count: expireIn });
  }
  const day = dayOf(content.body.expireOn);
  return day === null ? m.draft_options_no_closing() : m.draft_options_closes({ date: day });
}

/** The day of a timestamp in words, or the typed text that is not a day; null without a day. */
function dayOf(stamp: string | undefined): string | null {
  const { date } = wallTimeOf(stamp);
  if (date === '') return null;
  return parseV1Time(stamp ?? '') === null ? date : formatCalendarDay(date);
}

function deviationsV1(body: ContentOf<'v1'>['body']): readonly string[] {
  const { notifications, accessRights = [], links = [], tags = {}, configurations = [] } = body;
  const reminder = dayOf(settingOf(body, 'NOTIFICATION').sendExpiryReminderOn);
  const deletion = dayOf(body.deleteOn);
  const shared = accessRights.length + links.length;
  const tagCount = Object.keys(tags).length;
  // The only setting that is not an advanced one is the reminder.
  const isAdvanced = configurations.some((one) =>
    Object.keys(one).some((key) => key !== 'type' && key !== 'sendExpiryReminderOn'),
  );
  return [
    ...(deletion === null ? [] : [m.draft_options_deletes({ date: deletion })]),
    ...(reminder === null ? [] : [m.draft_options_reminder({ date: reminder })]),
    ...(notifications === undefined ? [] : [noticeSummary(body, '')]),
    ...(shared === 0 ? [] : [countOf(sectionTitles.sharing(), shared)]),
    ...(tagCount === 0 ? [] : [countOf(sectionTitles.tags(), tagCount)]),
    ...(isAdvanced ? [m.draft_options_advanced()] : []),
  ];
}

function deviationsV2(body: ContentOf<'v2'>['body']): readonly string[] {
  const { reminders = [], notificationMessages } = body;
  const isAdvanced =
    body.drawSignature === true ||
    body.hideUnsigned === true ||
    body.allowEmailSigning === true ||
    body.signatureMessage !== undefined ||
    body.additionalTBS !== undefined ||
    body.webhook !== undefined;
  return [
    ...(reminders.length === 0 ? [] : [countOf(m.draft_options_reminders(), reminders.length)]),
    ...(notificationMessages === undefined ? [] : [m.draft_options_messages()]),
    ...(isAdvanced ? [m.draft_options_advanced()] : []),
  ];
}

const countOf = (name: string, count: number): string => `${name}: ${formatCount(count)}`;
