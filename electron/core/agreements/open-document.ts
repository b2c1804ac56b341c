import type { AgreementKey, BytesId } from '../../../shared/model/ids.ts';
import { assertWholePdf, pdfTail } from '../../../shared/rules/files/pdf-shape.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Stores } from '../ports.ts';
import { requireAction } from '../services/capabilities.ts';
import type { Services } from '../services/services.ts';
import { fetchWholeDocument } from '../services/whole-document.ts';

/** Number of first bytes in which a PDF has its header. */
const HEAD_BYTES = 1024;

interface OpenPorts {
  readonly stores: Pick<Stores, 'connections'>;
  readonly services: Services;
  readonly bytes: ByteExchange;
}

/**
 * Downloads one attachment, to show it in the window. Throws 'service' if it is not a PDF, or with
 * 'too-large'.
 */
export async function openDocument(
  { stores, services, bytes }: OpenPorts,
  { key, documentId }: { readonly key: AgreementKey; readonly documentId: string },
): Promise<{ out: BytesId }> {
  requireAction(stores, key.connectionId, 'saveDocuments');
  const { signal } = new AbortController();
  const data = await services.use(key.connectionId, (service) =>
    fetchWholeDocument(service, key.id, documentId, signal),
  );
  assertWholePdf(data.subarray(0, HEAD_BYTES), pdfTail(data), data.length);
  return { out: bytes.put(data) };
}
