import type { HandlersOf } from '../../shared/contract/index.ts';
import type { ByteExchange } from './host-ports.ts';
import type { PdfForms, Sha256 } from './ports.ts';

/** Looks into and fills PDF forms that were handed over; nothing of them is kept. */
export function createTemplates(ports: {
  readonly bytes: ByteExchange;
  readonly pdf: PdfForms;
  readonly sha256: Sha256;
}): HandlersOf<'templates'> {
  return {
    'templates.fields': async ({ bytes }) => ports.pdf.read(ports.bytes.take(bytes)),
    'templates.merge': async ({ bytes, values, flatten }) => {
      const merged = await ports.pdf.merge(ports.bytes.take(bytes), values, flatten);
      return {
        out: ports.bytes.put(merged.data),
        bytes: merged.data.length,
        sha256: ports.sha256(merged.data),
        filled: merged.filled,
        unfilled: [...merged.unfilled],
      };
    },
  };
}
