import { AppError } from '../../../shared/errors.ts';
import type { PdfForms } from '../../core/ports.ts';
import type { CompiledForm } from '../../core/templates/ports.ts';
import { systemFontFolders } from './fonts/font-folders.ts';
import { type WorkerClient, createWorkerClient, LIMITS, type Limits } from './worker-client.ts';
import {
  Carried,
  Closed,
  Compiled,
  Fits,
  Found,
  Guided,
  Merged,
  Missing,
  Read,
  WithFields,
} from './worker-messages.ts';

/** More than any request may carry; larger files are not even looked at. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Of who waits to the end. */
const NEVER = new AbortController().signal;

/** Reads and fills PDFs in a thread with limits of time and memory. */
export interface LimitedPdfForms extends PdfForms {
  close(): Promise<void>;
}

/** `fonts` are the folders that fonts of this computer lie in. */
export function createPdfForms(
  limits: Limits = LIMITS,
  fonts: readonly string[] = systemFontFolders(),
): LimitedPdfForms {
  const worker = createWorkerClient(limits, { fontFolders: [...fonts] });
  return {
    ...createPageReader(limits),
    async read(data) {
      refuseHuge(data);
      return worker.ask({ do: 'read', data }, Read);
    },
    async place(data, fields) {
      refuseHuge(data);
      return (await worker.ask({ do: 'place', data, fields: [...fields] }, WithFields)).data;
    },
    async merge(data, values, flatten) {
      refuseHuge(data);
      return worker.ask({ do: 'merge', data, values, flatten }, Merged);
    },
    async missingLetters(texts) {
      return (await worker.ask({ do: 'missing', texts: [...texts] }, Missing)).missing;
    },
    async textFits(data, values) {
      refuseHuge(data);
      return (await worker.ask({ do: 'fits', data, values: [...values] }, Fits)).fits;
    },
    async compile(data, letters = []) {
      refuseHuge(data);
      return keepCompiled(worker, data, [...letters]);
    },
    close: () => worker.close(),
  };
}

/**
 * What pdf.js reads, in a thread for each reading: a preview does not wait for a long search, which ends
 * with its thread, and pdf.js leaves ports open that keep a thread, and the program, from ending.
 */
function createPageReader(limits: Limits): Pick<PdfForms, 'find' | 'guides' | 'carry'> {
  const reading = async <Value>(
    data: Uint8Array,
    work: (worker: WorkerClient) => Promise<Value>,
  ): Promise<Value> => {
    refuseHuge(data);
    // It draws nothing.
    const worker = createWorkerClient(limits, { fontFolders: [] });
    try {
      return await work(worker);
    } finally {
      await worker.close();
    }
  };
  return {
    find: (data, signal = NEVER, report = () => {}) =>
      reading(
        data,
        async (worker) => (await worker.ask({ do: 'find', data }, Found, { signal, report })).found,
      ),
    carry: (before, after, fields) => {
      const ask = { do: 'carry' as const, before, after, fields: [...fields] };
      refuseHuge(before);
      return reading(after, (worker) => worker.ask(ask, Carried));
    },
    guides: (data) =>
      reading(data, async (worker) => (await worker.ask({ do: 'guides', data }, Guided)).pages),
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
