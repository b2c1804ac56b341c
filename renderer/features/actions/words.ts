import type { ActionKind, ActionsResult, Notice } from '../../../shared/contract/actions.ts';
import type { Failure } from '../../../shared/errors.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { m } from '../../ui/language.svelte.ts';

const unknownOutcomeTexts = {
  revoke: m.unknown_revoke,
  remove: m.unknown_remove,
  change: m.unknown_change,
  'correct-email': m.unknown_correct_email,
  'replace-recipients': m.unknown_replace_recipients,
  silence: m.unknown_silence,
  remind: m.unknown_remind,
  reject: m.unknown_reject,
  share: m.unknown_share,
  'upload-add': m.unknown_upload_add,
  'upload-remove': m.unknown_upload_remove,
} as const satisfies Record<ActionKind, () => string>;

export const unknownText = (kind: ActionKind): string => unknownOutcomeTexts[kind]();

/**
 * Reason why the service refused an action. The user has no field to correct, so fields are not
 * named.
 */
export function refusalText(failure: Failure): string {
  if (failure.code !== 'invalid' || failure.reason !== undefined) return sentenceFor(failure);
  const why = Object.values(failure.fields ?? {}).join(' ') || (failure.said ?? '');
  return why === '' ? m.result_refused() : m.result_refused_because({ why });
}

/** Result of a job as a sentence that starts with its most important part. */
export function resultText(
  { done, failed, unknown }: ActionsResult,
  doneText: (title: string, wasAlready: boolean, reminded: number) => string,
): string {
  const [unsure] = unknown;
  if (unsure !== undefined) return m.result_unknown({ title: unsure.title });
  const [refused] = failed;
  if (refused !== undefined) {
    const why = refusalText(refused.failure);
    return done.length === 0 && failed.length === 1
      ? m.result_failed({ title: refused.title, why })
      : m.result_partly({ done: done.length, failed: failed.length, why });
  }
  const [first] = done;
  if (first === undefined) return m.result_nothing();
  // Reminders to two parties of one agreement are two results.
  const count = new Set(done.map(({ connectionId, id }) => `${connectionId} ${id}`)).size;
  if (count > 1) return m.result_several({ count });
  const reminded = done.reduce((sum, one) => sum + one.reminded, 0);
  return doneText(first.title, first.wasAlready, reminded);
}

/** Outcome of a corrected address and of the notification to its party. */
export function correctionText(name: string, { state, failure }: Notice): string {
  switch (state) {
    case 'not-asked':
      return m.email_done({ name });
    case 'reminded':
      return m.email_done_notified({ name });
    case 'nobody':
      return m.email_half({ name, why: m.email_half_nobody() });
    case 'failed':
      return m.email_half({ name, why: failure === null ? '' : refusalText(failure) });
    case 'unknown':
      return m.email_half_unknown({ name });
  }
}
