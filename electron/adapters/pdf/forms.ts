import { AppError } from '../../../shared/errors.ts';
import type { PdfForms } from '../../core/ports.ts';
import type { CompiledForm } from '../../core/templates/ports.ts';
import { systemFontFolders } from './fonts/font-folders.ts';
import { PdfForm } from '../../../shared/model/pdf-form.ts';
import { OneCallThreads } from '../threads/once.ts';
import {
  Bytes,
  CarriedFieldsAnswer,
  CompiledFormAnswer,
  TextFitsShape,
  FoundPlacesAnswer,
  PageGuidesAnswer,
  MergedPdfAnswer,
  MissingCharactersAnswer,
} from './answers.ts';
import { ReusedThread, PDF_THREAD_LIMITS, type PdfThreadLimits, pdfThread } from './kept-thread.ts';
import type { PdfTasks } from './worker.ts';

/** Maximum bytes of a PDF: more than any request can have. Larger files are not read at all. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads and fills PDFs in a thread with time and memory limits. */
export interface LimitedPdfForms extends PdfForms {
  close(): Promise<void>;
}

/** Creates the PDF operations; `fonts` are the font folders of this computer. */
export function createPdfForms(
  limits: PdfThreadLimits = PDF_THREAD_LIMITS,
  fonts: readonly string[] = systemFontFolders(),
): LimitedPdfForms {
  const thread = new ReusedThread(pdfThread(limits, fonts));
  const pages = createPageReader(limits);
  return {
    ...pages,
    async read(data) {
      rejectHuge(data);
      return PdfForm.parse(await thread.call('read', [data]));
    },
    async place(data, fields) {
      rejectHuge(data);
      return Bytes.parse(await thread.call('place', [data, fields]));
    },
    async merge(data, values, flatten) {
      rejectHuge(data);
      return MergedPdfAnswer.parse(await thread.call('merge', [data, values, flatten]));
    },
    async missingLetters(texts) {
      return MissingCharactersAnswer.parse(await thread.call('missingLetters', [texts]));
    },
    async textFits(data, values) {
      rejectHuge(data);
      return TextFitsShape.parse(await thread.call('textFits', [data, values]));
    },
    async compile(data, letters = []) {
      rejectHuge(data);
      return compileInThread(thread, data, [...letters]);
    },
    async close() {
      await Promise.all([pages.close(), thread.close()]);
    },
  };
}

/**
 * Creates the operations that read with pdf.js, each time in a new thread. A preview then does not
 * wait for a long search, which ends with its thread. Also, pdf.js leaves ports open that keep a
 * thread, and the program, from ending.
 */
function createPageReader(
  limits: PdfThreadLimits,
): Pick<LimitedPdfForms, 'find' | 'guides' | 'carry' | 'close'> {
  // No fonts, since these threads draw nothing.
  const threads = new OneCallThreads<PdfTasks>(pdfThread(limits, []));
  return {
    async find(data, signal, report) {
      rejectHuge(data);
      const onProgress = (done: number, total: number): void => report?.({ done, total });
      return FoundPlacesAnswer.parse(await threads.call('find', [data], { signal, onProgress }));
    },
    async carry(before, after, fields) {
      rejectHuge(before);
      rejectHuge(after);
      return CarriedFieldsAnswer.parse(await threads.call('carry', [before, after, fields]));
    },
    async guides(data) {
      rejectHuge(data);
      return PageGuidesAnswer.parse(await threads.call('guides', [data]));
    },
    close: () => threads.close(),
  };
}

/**
 * Compiles a form in the thread. If another file ends the thread, the form is compiled again at its
 * next fill.
 */
async function compileInThread(
  thread: ReusedThread,
  data: Uint8Array,
  letters: readonly string[],
): Promise<CompiledForm> {
  const compile = async () => {
    const compiled = CompiledFormAnswer.parse(await thread.call('compile', [data, letters]));
    return { ...compiled, losses: thread.losses };
  };
  let compiled = await compile();
  let isOpen = true;
  return {
    form: compiled.form,
    async fill(values) {
      if (!isOpen) throw new Error('The compiled form was closed');
      if (compiled.losses !== thread.losses) compiled = await compile();
      return MergedPdfAnswer.parse(await thread.call('fill', [compiled.number, values]));
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      if (compiled.losses !== thread.losses) return;
      // Not awaited: if the thread is lost in between, the form is gone anyway.
      void thread.call('close', [compiled.number]).catch(() => undefined);
    },
  };
}

function rejectHuge(data: Uint8Array): void {
  if (data.length <= MAX_BYTES) return;
  throw new AppError('invalid', 'The PDF is larger than 64 MB', { reason: 'too-large' });
}
