import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { FileId } from '../../../shared/model/ids.ts';
import type { PdfValues, Template } from '../../../shared/contract/templates.ts';
import type { BatchDocument, RowContent } from '../../../shared/rules/batches/check.ts';
import { toStoredValue } from '../../../shared/rules/forms/field-values.ts';
import type { OutgoingFile, PdfForms, Stores } from '../ports.ts';
import { restrictedPdfError } from '../drafts/attach.ts';
import type { SendContent } from '../outbox/freeze.ts';
import type { CompiledForm } from '../templates/ports.ts';

export interface DocumentPorts {
  readonly stores: Pick<Stores, 'templates'>;
  readonly pdf: PdfForms;
}

type FilledContent = Pick<RowContent, 'content' | 'fields'>;

/** Documents of a batch's rows, one at a time: a merged PDF is freed before the next is made. */
export interface RowDocuments {
  /** Returns the content that a row sends, and its files. Throws 'invalid' with the field name. */
  of(row: FilledContent): Promise<{
    readonly content: DraftContent;
    readonly files: ReadonlyMap<FileId, OutgoingFile>;
    /** Content before its PDF was filled; absent if this program fills no PDF. */
    readonly written?: SendContent;
  }>;
  /**
   * Returns the PDF of a row as recipients will see it; null for a template stored at the service.
   */
  preview(row: FilledContent): Promise<Uint8Array | null>;
  close(): void;
}

/**
 * Opens the documents of a batch. `letters` are the texts of its rows, so that one font subset
 * serves all of them.
 */
export function openDocuments(
  ports: DocumentPorts,
  template: Template,
  document: BatchDocument | null,
  letters: Iterable<string>,
): RowDocuments {
  const plain = document === null ? null : ports.stores.templates.pdf(template.id);
  let compiled: Promise<CompiledForm> | null = null;
  const fill = async (values: PdfValues): Promise<Uint8Array> => {
    if (plain === null) throw new TypeError('A template of the service has no PDF here');
    compiled ??= ports.pdf.compile(plain, letters);
    return (await (await compiled).fill(values)).data;
  };
  return {
    async of(row) {
      const { content } = row;
      if (document === null || plain === null) return { content, files: new Map() };
      const { id, name } = document.file;
      const file = (data: Uint8Array) => new Map([[id, { name, data, modifiedAt: null }]]);
      const values = valuesOf(row);
      if (content.api === 'v1' && document.merge === 'service') {
        if (isOwnerLocked(template)) throw restrictedPdfError();
        return { content, files: file(plain) };
      }
      const written = { content, files: file(plain), values };
      if (content.api === 'v1')
        return { content: withoutFields(content), files: file(await fill(values)), written };
      // The service writes signatures into fields, so the form must not be flattened.
      const data = content.body.drawSignature
        ? (await ports.pdf.merge(plain, values, false)).data
        : await fill(values);
      return { content, files: file(data), written };
    },
    preview: async (row) => (plain === null ? null : fill(valuesOf(row))),
    close() {
      void compiled?.then((form) => form.close());
    },
  };
}

/** Returns the values that this program merges; the service fills signature fields. */
function valuesOf({ fields }: FilledContent): PdfValues {
  return Object.fromEntries(
    fields.flatMap(({ name, value }) =>
      typeof value === 'string' && value.startsWith('{{@agr.')
        ? []
        : [[name, toStoredValue(value)]],
    ),
  );
}

function withoutFields(content: DraftContent & { readonly api: 'v1' }): DraftContent {
  const attachments = content.body.attachments.map(({ fields: _fields, ...rest }) => rest);
  return { ...content, body: { ...content.body, attachments } };
}

const isOwnerLocked = ({ source }: Template): boolean =>
  source.kind === 'pdf' && source.form.notices.includes('owner-locked');
