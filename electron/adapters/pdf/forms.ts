import { AppError } from '../../../shared/errors.ts';
import type { PdfForms } from '../../core/ports.ts';
import type { CompiledForm } from '../../core/templates/ports.ts';
import { type WorkerClient, createWorkerClient, LIMITS, type Limits } from './worker-client.ts';
import { Closed, Compiled, Merged, Read } from './worker-messages.ts';

/** More than any request may carry; larger files are not even looked at. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads and fills PDFs in a thread with limits of time and memory. */
export interface LimitedPdfForms extends PdfForms {
  close(): Promise<void>;
}

export function createPdfForms(limits: Limits = LIMITS): LimitedPdfForms {
  const worker = createWorkerClient(limits);
  return {
    async read(data) {
      refuseHuge(data);
      return worker.ask({ do: 'read', data }, Read);
    },
    async merge(data, values, flatten) {
      refuseHuge(data);
      return worker.ask({ do: 'merge', data, values, flatten }, Merged);
    },
    async compile(data, letters = []) {
      refuseHuge(data);
      return keepCompiled(worker, data, [...letters]);
    },
    close: () => worker.close(),
  };
}

/** When the thread was lost to another file, the form is compiled anew at its next fill. */
async function keepCompiled(
  worker: WorkerClient,
  data: Uint8Array,
  letters: string[],
): Promise<CompiledForm> {
  const compile = async () => {
    const compiled = await worker.ask({ do: 'compile', data, letters }, Compiled);
    return { ...compiled, losses: worker.losses };
  };
  let compiled = await compile();
  let isOpen = true;
  return {
    form: compiled.form,
    async fill(values) {
      if (!isOpen) throw new Error('The compiled form was closed');
      if (compiled.losses !== worker.losses) compiled = await compile();
      return worker.ask({ do: 'fill', form: compiled.number, values }, Merged);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      if (compiled.losses !== worker.losses) return;
      // Nothing waits for it: a thread that is lost meanwhile has forgotten the form anyway.
      void worker.ask({ do: 'close', form: compiled.number }, Closed).catch(() => undefined);
    },
  };
}

function refuseHuge(data: Uint8Array): void {
  if (data.length <= MOST_BYTES) return;
  throw new AppError('invalid', 'The PDF is larger than 64 MB', { reason: 'too-large' });
}
