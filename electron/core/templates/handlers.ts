import type { HandlersOf } from '../../../shared/contract/index.ts';
import { createTemplateLibrary, type TemplateLibraryPorts } from './library.ts';
import { createTemplateDrafts, type TemplateDraftPorts } from './draft.ts';
import { createTemplateFiles } from './files.ts';

/** PDF forms with their mapping: kept, tried, turned into drafts, and handed on as files. */
export function createTemplates(
  ports: TemplateLibraryPorts & TemplateDraftPorts,
): HandlersOf<'templates'> {
  const { bytes, pdf, sha256, stores } = ports;
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
    ...createTemplateLibrary(ports),
    ...createTemplateDrafts(ports),
    ...createTemplateFiles(ports),
  };
}
