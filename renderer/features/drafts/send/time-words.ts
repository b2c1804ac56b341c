import type { SendTimeProblem } from '../../../../shared/rules/drafts/send-time.ts';
import { m } from '../../../ui/language.svelte.ts';

/** Sentences about a time at which an agreement cannot be sent. */
export const sendTimeWords: Readonly<Record<SendTimeProblem, () => string>> = {
  past: m.draft_send_at_past,
  far: m.draft_send_at_far,
  'closes-first': m.draft_send_at_closes,
};
