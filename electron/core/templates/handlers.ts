import type { HandlersOf } from '../../../shared/contract/index.ts';
import { pdfNameFor } from '../../../shared/rules/files/convertible.ts';
import { saveInFolder } from '../bytes/saved-files.ts';
import type { Files } from '../ports.ts';
import { createDrawingHandlers, type DrawingPorts } from './drawing.ts';
import {
  createTemplateLibraryHandlers,
  requireLocalPdf,
  type TemplateLibraryPorts,
} from './library.ts';
import { createTemplateDraftHandlers, type TemplateDraftPorts } from './draft.ts';
import { createTemplateFileHandlers } from './files.ts';

/**
 * Creates the calls for templates, which are PDF forms with their mapping: storing, previewing and
 * exporting them, and creating drafts from them.
 */
export function createTemplateHandlers(
  ports: TemplateLibraryPorts & TemplateDraftPorts & DrawingPorts & { readonly files: Files },
): HandlersOf<'templates'> {
  const { bytes, files, pdf, sha256, stores } = ports;
  return {
    'templates.fields': async (form) =>
      pdf.read('bytes' in form ? bytes.take(form.bytes) : stores.templates.pdf(form.id)),
    'templates.merge': async ({ values, flatten, ...form }) => {
      const data = 'bytes' in form ? bytes.take(form.bytes) : stores.templates.pdf(form.id);
      const merged = await pdf.merge(data, values, flatten);
      return {
        out: bytes.put(merged.data),
        bytes: merged.data.length,
        sha256: sha256(merged.data),
        filled: merged.filled,
        unfilled: [...merged.unfilled],
      };
    },
    'templates.find': async (form) => [
      ...(await pdf.find('bytes' in form ? bytes.take(form.bytes) : stores.templates.pdf(form.id))),
    ],
    'templates.placeOn': async ({ bytes: given, fields }) => {
      const data = await pdf.place(bytes.take(given), fields);
      return { out: bytes.put(data), sha256: sha256(data) };
    },
    'templates.pdf': async ({ id }) => {
      const { fileName } = requireLocalPdf(stores.templates.get(id));
      return { out: bytes.put(stores.templates.pdf(id)), fileName };
    },
    'templates.savePdf': async ({ id, folder }) => {
      const source = requireLocalPdf(stores.templates.get(id));
      const fileName = pdfNameFor(source.fileName);
      return saveInFolder(files, { folder, fileName, data: stores.templates.pdf(id) });
    },
    ...createDrawingHandlers(ports),
    ...createTemplateLibraryHandlers(ports),
    ...createTemplateDraftHandlers(ports),
    ...createTemplateFileHandlers(ports),
  };
}
