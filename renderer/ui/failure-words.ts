import type {
  AgreementEnd,
  ErrorCode,
  ErrorReason,
  Failure,
  IntakeProblem,
  MissingCharacter,
  TextFit,
} from '../../shared/errors.ts';
import { formatCount, formatDateTime, formatTime } from './format.ts';
import { m } from './language.svelte.ts';
import { joinFacts } from './join-facts.ts';

const sentencesByCode = {
  invalid: m.failure_invalid,
  'signed-out': m.failure_signed_out,
  forbidden: m.failure_forbidden,
  'not-found': m.failure_not_found,
  conflict: m.failure_conflict,
  limited: m.failure_limited,
  offline: m.failure_offline,
  service: m.failure_service,
  storage: m.failure_storage,
  'newer-data': m.failure_newer_data,
  vault: m.failure_vault,
  cancelled: m.failure_cancelled,
  unexpected: m.failure_unexpected,
} as const satisfies Record<ErrorCode, () => string>;

const sentencesByReason = {
  'address-invalid': m.reason_address_invalid,
  'address-not-https': m.reason_address_not_https,
  'address-has-version': m.reason_address_has_version,
  'address-lacks-version': m.reason_address_lacks_version,
  'host-unknown': m.reason_host_unknown,
  'connection-refused': m.reason_connection_refused,
  'connection-lost': m.reason_connection_lost,
  tls: m.reason_tls,
  'timed-out': m.reason_timed_out,
  redirected: m.reason_redirected,
  'not-json': m.reason_not_json,
  'cut-answer': m.reason_cut_answer,
  'answer-mismatch': m.reason_answer_mismatch,
  'sent-id-form': m.reason_sent_id_form,
  'sent-id-missing': m.reason_sent_id_missing,
  'sent-id-elsewhere': m.reason_sent_id_elsewhere,
  'sent-id-taken': m.reason_sent_id_taken,
  'sent-id-title': m.reason_sent_id_title,
  'sent-id-signature': m.reason_sent_id_signature,
  'answer-broken': m.reason_answer_broken,
  'answer-encoded': m.reason_answer_encoded,
  'too-large': m.reason_too_large,
  'proxy-unreachable': m.reason_proxy_unreachable,
  'proxy-sign-in': m.reason_proxy_sign_in,
  'proxy-method': m.reason_proxy_method,
  'proxy-refused': m.reason_proxy_refused,
  'proxy-kind': m.reason_proxy_kind,
  'link-unchecked': m.reason_link_unchecked,
  'not-a-certificate': m.reason_not_a_certificate,
  'credential-blank': m.reason_credential_blank,
  'credential-characters': m.reason_credential_characters,
  'credential-refused': m.reason_credential_refused,
  'credential-missing': m.reason_credential_missing,
  'not-confirmed': m.reason_not_confirmed,
  'disk-full': m.reason_disk_full,
  'folder-missing': m.reason_folder_missing,
  'archive-gone': m.reason_archive_gone,
  'no-archive': m.reason_no_archive,
  'folder-not-empty': m.reason_folder_not_empty,
  'bag-inside': m.reason_bag_inside,
  'file-missing': m.reason_file_missing,
  'copy-missing': m.reason_copy_missing,
  'copy-changed': m.reason_copy_changed,
  'file-exists': m.reason_file_exists,
  'name-token': m.reason_name_token,
  'folder-read-only': m.reason_folder_read_only,
  'state-folder': m.reason_state_folder,
  'folder-not-chosen': m.reason_folder_not_chosen,
  'folder-outside': m.reason_folder_outside,
  'path-not-local': m.reason_path_not_local,
  'file-ending': m.reason_file_ending,
  'schedule-refused': m.reason_schedule_refused,
  'data-damaged': m.reason_data_damaged,
  'data-foreign': m.reason_data_foreign,
  'data-wrong-key': m.reason_data_wrong_key,
  'data-in-use': m.reason_data_in_use,
  'data-restored': m.reason_data_restored,
  'service-clock-differs': m.reason_service_clock_differs,
  'phrase-wrong': m.reason_phrase_wrong,
  'phrase-other': m.reason_phrase_other,
  'key-wrong': m.reason_key_wrong,
  'not-a-backup': m.reason_not_a_backup,
  'backup-damaged': m.reason_backup_damaged,
  'not-an-export': m.reason_not_an_export,
  'export-changed': m.reason_export_changed,
  'folder-has-data': m.reason_folder_has_data,
  'data-intact': m.reason_data_intact,
  'not-set-up': m.reason_not_set_up,
  'no-office': m.reason_no_office,
  'office-refused': m.reason_office_refused,
  'desk-at-rest': m.reason_desk_at_rest,
  'vault-locked': m.reason_vault_locked,
  'vault-dismissed': m.reason_vault_dismissed,
  'vault-denied': m.reason_vault_denied,
  'vault-no-session': m.reason_vault_no_session,
  'vault-entry-missing': m.reason_vault_entry_missing,
  'vault-wrong-key': m.reason_vault_wrong_key,
  'vault-changed': m.reason_vault_changed,
  'vault-demo-only': m.reason_vault_demo_only,
  'keyfile-mode': m.reason_keyfile_mode,
  'not-a-pdf': m.reason_not_a_pdf,
  'pdf-damaged': m.reason_pdf_damaged,
  'pdf-encrypted': m.reason_pdf_encrypted,
  'pdf-restricted': m.reason_pdf_restricted,
  'pdf-limit': m.reason_pdf_limit,
  'pdf-xfa': m.reason_pdf_xfa,
  'pdf-not-appendable': m.reason_pdf_not_appendable,
  'placed-name': m.reason_placed_name,
  'placed-options': m.reason_placed_options,
  'placed-outside': m.reason_placed_outside,
  'pdf-signed': m.reason_pdf_signed,
  'name-taken': m.reason_name_taken,
  'identity-exists': m.reason_identity_exists,
  'intake-kind': m.reason_intake_kind,
  'intake-link': m.reason_intake_link,
  'intake-name': m.reason_intake_name,
  'intake-data': m.reason_intake_data,
  'intake-large': m.reason_intake_large,
  'intake-json': m.reason_intake_json,
  'change-gone': m.reason_change_gone,
  'import-gone': m.reason_import_gone,
  'not-a-card': m.reason_not_a_card,
  'cards-limit': m.reason_cards_limit,
  'pdf-letters': m.reason_pdf_letters,
  'pdf-value-too-long': m.reason_pdf_value_too_long,
  'pdf-text-cut': m.problem_text_cut,
  'pdf-no-such-field': m.reason_pdf_no_such_field,
  'pdf-no-such-option': m.reason_pdf_no_such_option,
  'pdf-password-field': m.problem_password_field,
  'file-empty': m.reason_file_empty,
  'office-missing': m.reason_office_missing,
  'document-kind': m.reason_document_kind,
  'document-damaged': m.reason_document_damaged,
  'document-password': m.reason_document_password,
  'document-limit': m.reason_document_limit,
  'document-outside': m.reason_document_outside,
  'picture-kind': m.reason_picture_kind,
  'not-a-draft': m.reason_not_a_draft,
  'sheet-empty': m.reason_sheet_empty,
  'sheet-text': m.reason_sheet_text,
  'sheet-quote': m.reason_sheet_quote,
  'sheet-limit': m.reason_sheet_limit,
  'sheet-kind': m.reason_sheet_kind,
  'sheet-password': m.reason_sheet_password,
  'sheet-bomb': m.reason_sheet_bomb,
  'sheet-damaged': m.reason_sheet_damaged,
  'sheet-headers': m.reason_sheet_headers,
  'sheet-other-rows': m.reason_sheet_other_rows,
  'batch-changed': m.reason_batch_changed,
  'batch-armed': m.reason_batch_armed,
  'column-missing': m.reason_column_missing,
  'column-wrong': m.reason_column_wrong,
  'mapping-form': m.reason_mapping_form,
  'not-concluded': m.reason_not_concluded,
  'outcome-unknown': m.reason_outcome_unknown,
  'nothing-created': m.reason_nothing_created,
  'not-listed': m.reason_not_listed,
  'count-differs': m.reason_count_differs,
  'sent-before': m.reason_sent_before,
  stranger: m.reason_stranger,
  'recipients-unknown': m.reason_recipients_unknown,
  'replaced-sent': m.reason_replaced_sent,
  'replaced-unproved': m.reason_replaced_unproved,
  'left-over': m.reason_left_over,
  'time-missed': m.reason_time_missed,
  'batch-old': m.reason_batch_old,
  'rows-refused': m.reason_rows_refused,
  'not-your-turn': m.reason_not_your_turn,
  'signed-already': m.reason_signed_already,
  'not-offered': m.reason_not_offered,
  'agreement-ended': m.reason_agreement_ended,
  'not-reviewed': m.reason_not_reviewed,
  'documents-changed': m.reason_documents_changed,
  'not-approved': m.reason_not_approved,
  'same-person': m.reason_same_person,
  'evidence-broken': m.reason_evidence_broken,
  'not-readable': m.reason_not_readable,
  'draft-locked': m.reason_draft_locked,
  'problems-left': m.reason_problems_left,
  'already-under-way': m.reason_already_under_way,
  'desk-busy': m.reason_desk_busy,
  'connection-paused': m.reason_connection_paused,
  'clock-differs': m.reason_clock_differs,
  'claimed-elsewhere': m.reason_claimed_elsewhere,
  'unsettled-elsewhere': m.reason_unsettled_elsewhere,
  'claim-moves': m.reason_claim_moves,
  'office-away': m.reason_office_away,
  'office-server-refused': m.reason_office_server_refused,
  'office-pooler': m.reason_office_pooler,
  'office-put-back': m.reason_office_put_back,
  'office-seat-lost': m.reason_office_seat_lost,
  'most-missing': m.reason_most_missing,
  'task-elsewhere': m.reason_task_elsewhere,
  'draft-elsewhere': m.reason_draft_elsewhere,
  'draft-freed': m.reason_draft_freed,
  'handed-over': m.reason_handed_over,
  'numbers-withheld': m.reason_numbers_withheld,
  'file-unsearched': m.reason_file_unsearched,
  'lease-lost': m.reason_lease_lost,
  'not-an-invitation': m.reason_not_an_invitation,
  'invitation-used': m.reason_invitation_used,
  'api-lacks-action': m.reason_api_lacks_action,
  'state-forbids': m.reason_state_forbids,
  'reminded-lately': m.reason_reminded_lately,
  'nobody-to-remind': m.reason_nobody_to_remind,
  'title-differs': m.reason_title_differs,
  'not-archived': m.reason_not_archived,
  'not-owner': m.why_not_owner,
  'no-delete-right': m.why_no_delete_right,
  'update-key': m.reason_update_key,
  'update-feed': m.reason_update_feed,
  'update-signature': m.reason_update_signature,
  'update-sum': m.reason_update_sum,
  'update-publisher': m.reason_update_publisher,
  'update-changed': m.reason_update_changed,
} as const satisfies Record<ErrorReason, () => string>;

const intakeProblemTexts = {
  'several-files': m.intake_wrong_several_files,
  'twin-names': m.intake_wrong_twin_names,
  'no-connection': m.intake_wrong_no_connection,
  'no-template': m.intake_wrong_no_template,
  'not-together': m.intake_wrong_not_together,
  'row-file': m.intake_wrong_row_file,
  'rows-many': m.intake_wrong_rows_many,
  api: m.intake_wrong_api,
  cell: m.intake_wrong_cell,
  'rows-differ': m.intake_wrong_rows_differ,
  form: m.intake_wrong_form,
  party: m.intake_wrong_party,
  row: m.intake_wrong_row,
  role: m.intake_wrong_role,
  'template-remote': m.intake_wrong_template_remote,
  fields: m.intake_wrong_fields,
  answer: m.intake_wrong_answer,
  'role-place': m.intake_wrong_role_place,
  'parties-many': m.intake_wrong_parties_many,
} as const satisfies Record<IntakeProblem['code'], (place: { at: string }) => string>;

/** Sentence about what went wrong and what to do next, in the user's language. */
export function sentenceFor(failure: Failure): string {
  if (failure.end !== undefined) return endSentence(failure.end);
  if (failure.letter !== undefined) return missingCharacterText(failure.letter);
  const [cut] = failure.cutTexts ?? [];
  if (cut !== undefined) return fitText(cut);
  if (failure.intake !== undefined) return intakeProblemTexts[failure.intake.code](failure.intake);
  if (failure.issuer !== undefined) return m.reason_tls_issued({ issuer: failure.issuer });
  const { code, reason, said } = failure;
  // No entry is highlighted if the service refuses a request, so its own reason is shown.
  if (code === 'invalid' && reason === undefined && said !== undefined) {
    return m.refused_by_service_because({ said });
  }
  const sentence = reason === undefined ? sentenceOfCode(failure) : sentencesByReason[reason]();
  if (failure.file !== undefined) return `${failure.file}: ${sentence}`;
  if (failure.retryAt === undefined) return sentence;
  return `${sentence} ${m.failure_not_before({ time: formatTime(failure.retryAt) })}`;
}

/**
 * Sentence about an error without a reason code. Most places that show an error highlight no field,
 * so the sentence about invalid entries contains the error's own reasons.
 */
function sentenceOfCode({ code, message, fields = {} }: Failure): string {
  const why = [...new Set(Object.values(fields))].join('. ') || message;
  if (code !== 'invalid' || why === '') return sentencesByCode[code]();
  return m.failure_invalid_because({ why });
}

/** Sentence about a text that does not fit: the field, the excess, and the part that fits. */
export function fitText({ field, excess, fits, size }: TextFit): string {
  if (excess === 0) return m.fit_text_small({ field, size: formatCount(size ?? 0) });
  return m.fit_text_cut({ field, excess: formatCount(excess), fits });
}

/**
 * Sentence about a character that cannot be drawn: the field, the character, and the font to
 * install.
 */
export function missingCharacterText({ field, letter, font }: MissingCharacter): string {
  return font === null
    ? m.letter_missing({ field, letter })
    : m.letter_missing_install({ field, letter, font });
}

/** "Rejected by Bo Ek on 22 Nov 2026", with the known parts. */
function endSentence({ state, by, at }: AgreementEnd): string {
  const date = at === null ? null : formatDateTime(at);
  switch (state) {
    case 'rejected':
      if (by === null) return date === null ? m.end_rejected() : m.end_rejected_on({ date });
      return date === null ? m.end_rejected_by({ by }) : m.end_rejected_by_on({ by, date });
    case 'revoked':
      return date === null ? m.end_revoked() : m.end_revoked_on({ date });
    case 'expired':
      return date === null ? m.end_expired() : m.end_expired_on({ date });
  }
}

/** Exact facts in English, to be copied for support. */
export function detailsOf({ code, reason, message, ref }: Failure): string {
  return joinFacts([code, reason, message, ref]);
}
