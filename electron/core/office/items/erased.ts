import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import { ERASED_WORD, ErasedDraft, SharedDraft } from '../../../../shared/rules/office/items.ts';

/** Whether this computer erased the office's version, together with a person named in it. */
export const isErased = (content: Json | null): boolean =>
  content === ERASED_WORD || ErasedDraft.safeParse(content).success;

const SharedDraftSummary = SharedDraft.pick({ service: true, sendingAt: true });

/**
 * Returns the service and the sending computer of a draft, which remain known after the rest of the
 * draft was erased; null if they are not known.
 */
export const aboutDraft = (
  content: Json | null,
): Pick<SharedDraft, 'service' | 'sendingAt'> | null =>
  content === null || content === ERASED_WORD ? null : SharedDraftSummary.parse(content);
