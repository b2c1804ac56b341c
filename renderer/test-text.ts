import type { TestNote, TestStep, TestStepName } from '../shared/contract/connections.ts';
import { m } from './language.svelte.ts';

const names = {
  address: m.test_step_address,
  tls: m.test_step_tls,
  credential: m.test_step_credential,
  list: m.test_step_list,
  clock: m.test_step_clock,
  vault: m.test_step_vault,
} as const satisfies Record<TestStepName, () => string>;

const notes = {
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
  skipped: m.test_note_skipped,
} as const satisfies Record<TestNote, (inputs: { value: string }) => string>;

/** The steps of a connection test, in the order they are taken. */
export const testSteps = [
  'address',
  'tls',
  'credential',
  'list',
  'clock',
  'vault',
] as const satisfies readonly TestStepName[];

export const stepName = (step: TestStepName): string => names[step]();

/** What a step found, in a sentence. */
export const noteText = ({ note, value }: TestStep): string => notes[note]({ value: value ?? '' });
