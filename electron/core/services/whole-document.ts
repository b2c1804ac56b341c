import { AppError } from '../../../shared/errors.ts';
import type { AgreementId } from '../../../shared/model/ids.ts';
import { joinChunks } from '../chunks.ts';
import type { AgreementService } from '../ports.ts';

/** Maximum size of the documents: as much as a person can read on a screen. API v1 has no limit. */
const MAX_BYTES = 48 * 1024 * 1024;

/** Downloads a document into memory, to show it. Throws 'service' with 'too-large'. */
export async function fetchWholeDocument(
  service: AgreementService,
  agreement: AgreementId,
  document: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const { chunks } = await service.downloadDocument(agreement, document, signal);
  for await (const part of chunks) {
    length += part.length;
    if (length > MAX_BYTES) {
      throw new AppError('service', 'A document is too large to be shown', { reason: 'too-large' });
    }
    parts.push(part);
  }
  return joinChunks(parts);
}
