import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { TemplateId } from '../../../shared/model/ids.ts';
import type { JobQueue } from '../job-queue.ts';
import { requireLocalPdf, type TemplateLibraryPorts } from './library.ts';

export type DrawingPorts = Pick<TemplateLibraryPorts, 'stores' | 'pdf'> & {
  readonly jobs: Pick<JobQueue, 'start'>;
};

type DrawingHandlers = Pick<HandlersOf<'templates'>, 'templates.board' | 'templates.startFind'>;

/**
 * Creates the calls for drawing fields on a template's PDF: page guides, other fields and found
 * fields.
 */
export function createDrawingHandlers({ stores, pdf, jobs }: DrawingPorts): DrawingHandlers {
  const { templates } = stores;
  const beneath = async (id: TemplateId): Promise<Uint8Array> => {
    requireLocalPdf(templates.get(id));
    return pdf.place(templates.pdf(id), []);
  };
  return {
    'templates.board': async ({ id }) => {
      const data = await beneath(id);
      const [pages, { fields }] = [await pdf.guides(data), await pdf.read(data)];
      return {
        pages: [...pages],
        others: fields.map(({ name, places = [] }) => ({
          name,
          places: places.map(({ page, box }) => ({ page, box })),
        })),
      };
    },
    'templates.startFind': async ({ id }) => {
      requireLocalPdf(templates.get(id));
      const jobId = jobs.start('find-fields', async (signal, report) => {
        const found = await pdf.find(await beneath(id), signal, report);
        return { result: { found: [...found] }, failure: null };
      });
      return { jobId };
    },
  };
}
