import type { ActionReason } from '../../shared/contract/actions.ts';
import { m } from './language.svelte.ts';

const actionReasonTexts = {
  'v1-cannot-reject': m.why_v1_cannot_reject,
  'v1-cannot-share': m.why_v1_cannot_share,
  'v1-has-no-template-fields': m.why_v1_has_no_template_fields,
  'v1-has-no-xml': m.why_v1_has_no_xml,
  'v1-has-no-uploads': m.why_v1_has_no_uploads,
  'v2-cannot-change': m.why_v2_cannot_change,
  'v2-cannot-remind': m.why_v2_cannot_remind,
  'v2-has-no-signing-links': m.why_v2_has_no_signing_links,
  'v2-has-no-attachments': m.why_v2_has_no_attachments,
  'not-sent': m.why_not_sent,
  'not-open': m.why_not_open,
  'only-rejected': m.why_only_rejected,
  'not-owner': m.why_not_owner,
  'no-delete-right': m.why_no_delete_right,
  deleted: m.why_deleted,
  'no-access': m.why_no_access,
  'not-reached': m.reason_stranger,
} as const satisfies Record<ActionReason, () => string>;

/** Reason why an action is not offered, as a sentence; null if it is offered. */
export const whyNot = (reason: ActionReason | null): string | null =>
  reason === null ? null : actionReasonTexts[reason]();
