import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import { ERASED, ErasedDraft, SharedDraft } from '../../../../shared/rules/office/items.ts';

/** Whether how the office had it was erased here, with a person whom it named. */
export const isErased = (content: Json | null): boolean =>
  content === ERASED || ErasedDraft.safeParse(content).success;

const About = SharedDraft.pick({ service: true, sendingAt: true });

/** What a draft is sent through, and which desk sends it: both are kept where the rest was erased. */
export const aboutDraft = (
  content: Json | null,
): Pick<SharedDraft, 'service' | 'sendingAt'> | null =>
  content === null || content === ERASED ? null : About.parse(content);
