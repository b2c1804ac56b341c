import type { BytesId } from '../../../shared/model/ids.ts';
import { DRAFT_EXTENSION } from '../../../shared/rules/drafts/extensions.ts';
import { isConvertible } from '../../../shared/rules/files/convertible.ts';
import { formatFirstNames } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity } from '../../window/activity.svelte.ts';
import { go } from '../../window/router.svelte.ts';
import { copies } from './copies.svelte.ts';
import { drafts } from './state.svelte.ts';

/** Number of names of refused files that fit on one line. */
const NAMES_SHOWN = 3;

const PDF_MEDIA_TYPE = 'application/pdf';

/**
 * Whether a file is a PDF by its type or its name: email programs give attachments only one of
 * them.
 */
export const isPdf = ({ type, name }: Pick<File, 'type' | 'name'>): boolean =>
  type === PDF_MEDIA_TYPE || /\.pdf$/i.test(name);

/** Creates a draft with these files; draft files become separate drafts. */
export function beginDraftWith(files: readonly File[]): void {
  const packed = files.filter(({ name }) => name.toLowerCase().endsWith(DRAFT_EXTENSION));
  if (packed.length > 0) void copies.take(packed);
  const others = files.filter((file) => !packed.includes(file));
  if (others.length === 0) return;
  drafts.keepForNew(others);
  go('drafts', 'new');
}

/**
 * Like `beginDraftWith`, for files dropped or pasted anywhere: only PDFs and convertible documents start
 * a draft.
 */
export function beginDraftWithSuitable(files: readonly File[]): void {
  const isOurs = (file: File): boolean =>
    isPdf(file) || isConvertible(file.name) || file.name.toLowerCase().endsWith(DRAFT_EXTENSION);
  const ours = files.filter(isOurs);
  const others = files.filter((file) => !isOurs(file)).map(({ name }) => name);
  if (others.length > 0) {
    // The draft of the other files does not correct the drop.
    const cause = ours.length === 0 ? 'document' : null;
    const names = formatFirstNames(others, NAMES_SHOWN);
    activity.warn(() => m.drafts_drop_refused({ count: others.length, names }), null, cause);
  }
  beginDraftWith(ours);
}

/** Like `beginDraftWith`, for PDFs that the system passed to this program. */
export async function beginDraftWithOpened(
  given: readonly { readonly name: string; readonly bytes: BytesId }[],
): Promise<void> {
  await activity.attempt(async () => {
    const files = given.map(async ({ name, bytes }) => {
      const answer = await fetch(`/bytes/out/${bytes}`);
      return new File([await answer.arrayBuffer()], name, { type: PDF_MEDIA_TYPE });
    });
    beginDraftWith(await Promise.all(files));
  });
}
