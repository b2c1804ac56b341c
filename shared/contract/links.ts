import * as z from 'zod';
import { call } from './call.ts';
import { AgreementId, BytesId } from '../model/ids.ts';
import { Person } from './people.ts';

export const LinkFault = z.enum([
  'too-long',
  /** The link is not in our format, or has invalid characters. */
  'damaged',
  /** The program does not support what the link requests, or not through a link. */
  'unknown',
  /** The link has more data than a draft accepts from a link. */
  'too-much',
]);
export type LinkFault = z.infer<typeof LinkFault>;

/** Data that a link may write into a new draft: no files, dates or personal numbers. */
export const LinkedDraft = z.object({
  title: z.string(),
  /** Text of the invitation to sign. */
  message: z.string(),
  parties: z.array(Person),
});
export type LinkedDraft = z.infer<typeof LinkedDraft>;

/** Every kind of link. A link never names a local file, sends or signs. */
export const DeskLink = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agreement'), id: AgreementId }),
  z.object({ kind: z.literal('draft'), draft: LinkedDraft }),
  z.object({ kind: z.literal('refused'), why: LinkFault }),
]);
export type DeskLink = z.infer<typeof DeskLink>;

/** A link or file that the system passed to this program. */
export const ReceivedItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('link'), link: DeskLink }),
  /** A draft file, for `drafts.import`; only its base name is shown. */
  z.object({ kind: z.literal('file'), name: z.string(), bytes: BytesId }),
  /** A path that no longer exists, is not a file, may not be read, or is larger than any draft. */
  z.object({ kind: z.literal('no-file'), name: z.string() }),
]);
export type ReceivedItem = z.infer<typeof ReceivedItem>;

export const linkCalls = {
  /**
   * Returns and removes the first waiting link or file; null if none waits. `left` is the number
   * that still wait. Also answered before the data is open; a page that cannot show the link or
   * file yet does not make this call.
   */
  'links.next': call(
    z.object({}),
    z.object({ arrival: ReceivedItem.nullable(), left: z.number().int() }),
  ),
} as const;

export const linkEvents = { 'links.arrived': z.object({}) } as const;
