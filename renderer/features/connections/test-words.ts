import {
  TestNote,
  type TestStep,
  type TestStepName,
} from '../../../shared/contract/connections.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { m } from '../../ui/language.svelte.ts';

const testStepNames = {
  address: m.test_step_address,
  tls: m.test_step_tls,
  credential: m.test_step_credential,
  list: m.test_step_list,
  clock: m.test_step_clock,
  vault: m.test_step_vault,
} as const satisfies Record<TestStepName, () => string>;

const testNoteTexts = {
  reached: m.test_note_reached,
  'not-reached': m.test_note_not_reached,
  'tls-ok': m.test_note_tls_ok,
  'tls-loopback': m.test_note_tls_loopback,
  'tls-failed': m.test_note_tls_failed,
  accepted: m.test_note_accepted,
  'accepted-user-unchecked': m.test_note_accepted_user_unchecked,
  refused: m.test_note_refused,
  listed: m.test_note_listed,
  'listed-empty': m.test_note_listed_empty,
  'list-failed': m.test_note_list_failed,
  'not-this-service': m.test_note_not_this_service,
  'clock-ok': m.test_note_clock_ok,
  'clock-differs': m.test_note_clock_differs,
  'clock-untold': m.test_note_clock_untold,
  stored: m.test_note_stored,
  'stored-demo': m.test_note_stored_demo,
  'store-failed': m.test_note_store_failed,
  skipped: ({ value }) => skippedText(value),
} as const satisfies Record<TestNote, (inputs: { value: string }) => string>;

/** Result of the step that failed, as the reason why the steps after it were not tried. */
const skipCauseTexts = {
  'not-reached': m.test_skipped_not_reached,
  'tls-failed': m.test_skipped_tls_failed,
  refused: m.test_skipped_refused,
  'list-failed': m.test_skipped_list_failed,
  'not-this-service': m.test_skipped_not_this_service,
} as const satisfies Partial<Record<TestNote, () => string>>;

const isCause = (note: TestNote): note is keyof typeof skipCauseTexts =>
  Object.hasOwn(skipCauseTexts, note);

function skippedText(cause: string): string {
  const known = TestNote.safeParse(cause);
  return known.success && isCause(known.data) ? skipCauseTexts[known.data]() : m.test_not_tried();
}

export const stepName = (step: TestStepName): string => testStepNames[step]();

/** Result of the step that failed; '' if none did. */
export function failedStepText(steps: readonly TestStep[]): string {
  const failed = steps.find(({ ok }) => !ok);
  return failed === undefined ? '' : noteText(failed);
}

export const noteText = ({ note, value, failure }: TestStep): string =>
  failure === undefined ? testNoteTexts[note]({ value: value ?? '' }) : sentenceFor(failure);
