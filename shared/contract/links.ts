import * as z from 'zod';
import { call } from './call.ts';
import { AgreementId, BytesId } from '../model/ids.ts';
import { Person } from './people.ts';

/** Why a link does nothing; one sentence each. */
export const LinkFault = z.enum([
  /** Longer than any link of ours. */
  'too-long',
  /** Not in our form, or its letters are broken. */
  'damaged',
  /** It asks for what this program does not do, or not through a link. */
  'unknown',
  /** More than a draft takes from a link. */
  'too-much',
]);
export type LinkFault = z.infer<typeof LinkFault>;

/** What a link may write into a new draft. It has no files, no dates and no number of a person. */
export const LinkedDraft = z.object({
  title: z.string(),
  /** What the parties read when they are asked to sign. */
  message: z.string(),
  parties: z.array(Person),
});
export type LinkedDraft = z.infer<typeof LinkedDraft>;

/** All that a link can mean. Nothing in it names a file of this computer, sends or signs. */
export const DeskLink = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agreement'), id: AgreementId }),
  z.object({ kind: z.literal('draft'), draft: LinkedDraft }),
  z.object({ kind: z.literal('refused'), why: LinkFault }),
]);
export type DeskLink = z.infer<typeof DeskLink>;

/** What the system gave this program to open. */
export const Arrival = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('link'), link: DeskLink }),
  /** The file of a draft, for `drafts.import`; of its path only the last name is shown. */
  z.object({ kind: z.literal('file'), name: z.string(), bytes: BytesId }),
  /** A file that is gone, is none, may not be read, or is larger than any draft. */
  z.object({ kind: z.literal('no-file'), name: z.string() }),
]);
export type Arrival = z.infer<typeof Arrival>;

export const linkCalls = {
  /**
   * The first that waits, which then waits no more; null when none does. `left` is how many wait still.
   * Answered before the data is open, too; a page that has nowhere to show it yet does not ask.
   */
  'links.next': call(
    z.object({}),
    z.object({ arrival: Arrival.nullable(), left: z.number().int() }),
  ),
} as const;

export const linkEvents = { 'links.arrived': z.object({}) } as const;
