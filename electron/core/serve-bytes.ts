import { BytesId, DraftId, FileId, TemplateId } from '../../shared/model/ids.ts';
import { isCode } from '../../shared/errors.ts';
import { valuesOf } from './drafts/files.ts';
import type { ByteExchange } from './host-ports.ts';
import type { PdfForms, Stores } from './ports.ts';

interface ServedBytes {
  readonly type: string;
  readonly data: Uint8Array;
}

export type ServeBytes = (path: string) => Promise<ServedBytes | null>;

const DEFAULT_MIME_TYPE = 'application/octet-stream';
const PDF = 'application/pdf';

/**
 * Serves the paths of the private origin that carry bytes; null for any other path and for missing
 * content.
 * - `/bytes/out/<id>`
 * - `/bytes/template/<id>`
 * - `/bytes/template/<id>/beneath`: the PDF without the fields drawn on it
 * - `/bytes/draft/<draft>/<file>`: the file as attached
 * - `/bytes/preview/<draft>/<file>`: the file with the draft's values merged in
 */
export function createServeBytes(ports: {
  readonly bytes: ByteExchange;
  readonly stores: Stores;
  readonly pdf: PdfForms;
}): ServeBytes {
  const original = (draftId: DraftId, fileId: FileId): ServedBytes => {
    const file = ports.stores.drafts.get(draftId).files.find(({ id }) => id === fileId);
    const { data } = ports.stores.drafts.fileData(draftId, fileId);
    return { type: file?.mimeType ?? DEFAULT_MIME_TYPE, data };
  };

  const preview = async (draftId: DraftId, fileId: FileId): Promise<ServedBytes> => {
    const plain = original(draftId, fileId);
    const values = valuesOf(ports.stores.drafts.get(draftId).content, fileId);
    if (plain.type !== 'application/pdf' || Object.keys(values).length === 0) return plain;
    try {
      return { ...plain, data: (await ports.pdf.merge(plain.data, values, true)).data };
    } catch (error) {
      // While the user types, a value may not fit. The field shows the error, and the preview shows
      // the file without the values.
      if (isCode(error, 'invalid')) return plain;
      throw error;
    }
  };

  const serve = async (path: string): Promise<ServedBytes | null> => {
    const [, root, kind, first, second, ...rest] = path.split('/');
    if (root !== 'bytes' || rest.length > 0) return null;
    if (kind === 'out' && second === undefined) {
      const id = BytesId.safeParse(first);
      return id.success ? { type: DEFAULT_MIME_TYPE, data: ports.bytes.take(id.data) } : null;
    }
    if (kind === 'template' && second === undefined) {
      const id = TemplateId.safeParse(first);
      return id.success ? { type: PDF, data: ports.stores.templates.pdf(id.data) } : null;
    }
    if (kind === 'template' && second === 'beneath') {
      const id = TemplateId.safeParse(first);
      if (!id.success) return null;
      return { type: PDF, data: await ports.pdf.place(ports.stores.templates.pdf(id.data), []) };
    }
    const draftId = DraftId.safeParse(first);
    const fileId = FileId.safeParse(second);
    if (!draftId.success || !fileId.success) return null;
    if (kind === 'draft') return original(draftId.data, fileId.data);
    return kind === 'preview' ? preview(draftId.data, fileId.data) : null;
  };

  return async (path) => {
    try {
      return await serve(path);
    } catch (error) {
      if (isCode(error, 'not-found')) return null;
      throw error;
    }
  };
}
