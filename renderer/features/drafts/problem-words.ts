import type { Problem, ProblemCode } from '../../../shared/contract/drafts.ts';
import { fitText, missingCharacterText } from '../../ui/failure-words.ts';
import { m } from '../../ui/language.svelte.ts';

/** Texts with problem and remedy by code, for every field. */
const draftProblemTexts = {
  required: m.problem_required,
  'too-long': m.problem_too_long,
  format: m.problem_format,
  'not-future': m.problem_not_future,
  'expiry-after-deletion': m.problem_expiry_after_deletion,
  'no-agreement-document': m.problem_no_agreement_document,
  'no-party': m.problem_no_party,
  'no-method': m.problem_no_method,
  'one-method': m.problem_one_method,
  'not-applicable': m.problem_not_applicable,
  'country-needed': m.problem_country_needed,
  'mobile-needed': m.problem_mobile_needed,
  'email-needed': m.problem_email_needed,
  order: m.problem_order,
  range: m.problem_range,
  'too-large': m.problem_too_large,
  'no-such-field': m.problem_no_such_field,
  'value-too-long': m.problem_value_too_long,
  'not-offered': m.problem_not_offered,
  contradicts: m.problem_contradicts,
  letters: m.problem_letters,
  'text-cut': m.problem_text_cut,
  'text-small': m.problem_text_small,
  'not-calculated': m.problem_not_calculated,
  'not-formatted': m.problem_not_formatted,
  'not-checked': m.problem_not_checked,
  'password-field': m.problem_password_field,
  placeholder: m.problem_placeholder,
  'file-missing': m.problem_file_missing,
  'nobody-told': m.problem_nobody_told,
  'party-not-told': m.problem_party_not_told,
  'no-expiry': m.problem_no_expiry,
  'email-shared': m.problem_email_shared,
  'already-signed': m.problem_already_signed,
  'content-mismatch': m.problem_content_mismatch,
  reserved: m.problem_reserved,
  blank: m.problem_blank,
  duplicate: m.problem_duplicate,
  insecure: m.problem_insecure,
  'too-many': m.problem_too_many,
  'past-day': m.problem_past_day,
  'no-reminder': m.problem_no_reminder,
  'new-group': m.problem_new_group,
  'other-mobile': m.problem_other_mobile,
  'ends-today': m.problem_ends_today,
  'looks-boolean': m.problem_looks_boolean,
  stranger: m.problem_stranger,
  refused: m.refused_by_service_because,
} as const satisfies Record<ProblemCode, (about: { readonly said: string }) => string>;

/** More specific texts for some fields, by `code` and the last name of the path. */
const problemTextsByField: Readonly<Record<string, () => string>> = {
  'required title': m.problem_required_title,
  'required name': m.problem_required_name,
  'required text': m.problem_required_text,
  'format email': m.problem_format_email,
  'format mobile': m.problem_format_mobile,
  'format personNumber': m.problem_format_person_v1,
  'format personNo': m.problem_format_person_v2,
  'format orgNo': m.problem_format_org,
  'format identifier': m.problem_format_identifier,
  'format expireOn': m.problem_format_time,
  'format deleteOn': m.problem_format_time,
  'format sendExpiryReminderOn': m.problem_format_time,
  'format lastModifiedOn': m.problem_format_time,
  'format date': m.problem_format_day,
  'format locale': m.problem_format_locale,
  'format timeZone': m.problem_format_zone,
  'format href': m.problem_format_link,
  'format url': m.problem_format_link,
  'range sendExpiryReminderOn': m.problem_range_reminder,
  'range country': m.problem_range_country,
  'range attachmentIndex': m.problem_range_document,
  'range expireIn': m.problem_range_days,
  'content-mismatch category': m.problem_only_pdf,
  'content-mismatch recipients': m.problem_one_medium,
  'not-applicable signatureMessage': m.problem_only_drawn,
};

/** Texts of warnings, which do not block sending: by code and field, or by the code alone. */
const warningTexts: Readonly<Record<string, () => string>> = {
  format: m.problem_check_digit,
  'format email': m.problem_email_doubtful,
  'format mobile': m.problem_mobile_doubtful,
  'format address': m.problem_address_doubtful,
  'format timeZone': m.problem_zone_doubtful,
  'format token': m.problem_id_doubtful,
  'format actorId': m.problem_id_doubtful,
  placeholder: m.problem_signature_placed,
  'not-applicable': m.problem_unused,
  'not-applicable identifier': m.problem_identifier_unused,
  'not-applicable locale': m.problem_locale_unused,
  blank: m.problem_blank_doubtful,
  duplicate: m.problem_duplicate_doubtful,
};

interface FoundProblem extends Problem {
  readonly level: 'error' | 'warning';
}

export function problemText({ field, code, level, message, letter, fit }: FoundProblem): string {
  if (fit !== undefined) return fitText(fit);
  if (letter !== undefined) return missingCharacterText(letter);
  const here = `${code} ${field.split('.').at(-1) ?? ''}`;
  const doubt = level === 'warning' ? (warningTexts[here] ?? warningTexts[code]) : undefined;
  const place = problemTextsByField[here];
  return (doubt ?? place ?? draftProblemTexts[code])({ said: message });
}

/** Message of a problem for a field: an error blocks sending, a warning does not. */
export function notesOf(found: FoundProblem | null): {
  readonly problem: string | null;
  readonly warning: string | null;
} {
  const words = found === null ? null : problemText(found);
  const isError = found?.level === 'error';
  return { problem: isError ? words : null, warning: isError ? null : words };
}
