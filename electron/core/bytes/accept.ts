import { acceptPdf } from '../../../shared/rules/files/pdf-shape.ts';
import type { AcceptBytes } from '../file-ports.ts';

/** For what was written here, which is as it should be. */
export const acceptAny: AcceptBytes = () => {};

/**
 * For a file of the service, by the type it gave: a PDF must be one. Attachments may be of any type
 * (API v1, "Attachments"); nothing opens them.
 */
export function acceptAs(mimeType: string | null): AcceptBytes {
  return mimeType === 'application/pdf' ? acceptPdf : acceptAny;
}
