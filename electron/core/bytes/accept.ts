import { assertWholePdf } from '../../../shared/rules/files/pdf-shape.ts';
import type { AcceptBytes } from '../file-ports.ts';

/** Accepts any bytes; for files this program wrote itself. */
export const acceptAllBytes: AcceptBytes = () => {};

/**
 * Returns the check for a file from the service, by its declared type: a PDF must be a PDF.
 * Attachments may have any type (API v1, "Attachments"); the program never opens them.
 */
export function acceptMimeType(mimeType: string | null): AcceptBytes {
  return mimeType === 'application/pdf' ? assertWholePdf : acceptAllBytes;
}
