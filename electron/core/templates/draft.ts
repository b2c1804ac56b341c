import type { HandlersOf } from '../../../shared/contract/index.ts';
import { DraftId, FileId } from '../../../shared/model/ids.ts';
import type {
  Template,
  TemplateAnswers,
  TemplateProblem,
} from '../../../shared/contract/templates.ts';
import { AppError } from '../../../shared/errors.ts';
import { missingCharacterMessage } from '../../../shared/rules/text/missing-letter.ts';
import { draftFromTemplate } from '../../../shared/rules/templates/draft.ts';
import {
  type FilledTemplate,
  fillTemplate,
  numberText,
  usesNumber,
} from '../../../shared/rules/templates/values.ts';
import type { Stores } from '../ports.ts';
import type { TemplateLibraryPorts } from './library.ts';

export type TemplateDraftPorts = TemplateLibraryPorts & {
  readonly stores: Pick<Stores, 'drafts'>;
  readonly drafts: Pick<
    HandlersOf<'drafts'>,
    'drafts.create' | 'drafts.attach' | 'drafts.save' | 'drafts.delete'
  >;
};

type DraftHandlers = Pick<HandlersOf<'templates'>, 'templates.try' | 'templates.newDraft'>;

/** Creates the calls that fill templates, for a preview or for a new draft. */
export function createTemplateDraftHandlers(ports: TemplateDraftPorts): DraftHandlers {
  const { templates } = ports.stores;
  return {
    'templates.try': async ({ id, answers }) => {
      const template = templates.get(id);
      // The preview shows the counter's next number; only a draft uses it up.
      const filled = fillTemplateContent(template, answers, template.nextNumber, ports);
      const { values, title, problems } = filled;
      if (template.source.kind === 'service') {
        return { out: null, title, values, unfilled: [], problems: [...problems] };
      }
      const preview = await mergePreview(template, filled, ports);
      const out = preview.data === null ? null : ports.bytes.put(preview.data);
      const { unfilled } = preview;
      return { out, title, values, unfilled, problems: [...problems, ...preview.problems] };
    },
    'templates.newDraft': async ({ id, connectionId, answers }) => {
      const template = templates.get(id);
      rejectProblems(fillTemplateContent(template, answers, template.nextNumber, ports).problems);
      const data = await createSendableDocument(template, answers, ports);
      const number = usesNumber(template) ? templates.takeNumber(id) : template.nextNumber;
      const filled = fillTemplateContent(template, answers, number, ports);
      const content = (file: FileId | null) =>
        draftFromTemplate({ template, answers, filled, file, now: ports.clock.now() });
      const { revision, ...draft } = await ports.drafts['drafts.create']({
        content: content(null),
        connectionId,
      });
      const draftId = DraftId.parse(draft.id);
      try {
        if (data !== null) {
          const bytes = ports.bytes.put(data.pdf);
          const given = { id: draftId, name: data.fileName, bytes };
          const { id: file } = await ports.drafts['drafts.attach'](given);
          await ports.drafts['drafts.save']({
            id: draftId,
            revision,
            connectionId,
            content: content(FileId.parse(file)),
          });
        }
      } catch (error) {
        // A draft without its document is useless to the user.
        await ports.drafts['drafts.delete']({ id: draftId });
        throw error;
      }
      ports.stores.drafts.noteTemplate(draftId, id);
      templates.countUse(id);
      ports.emit('templates.changed', { id });
      return { draft: draftId };
    },
  };
}

function fillTemplateContent(
  template: Template,
  answers: TemplateAnswers,
  at: number,
  { clock }: Pick<TemplateDraftPorts, 'clock'>,
): FilledTemplate {
  const number = numberText(template.content.counter, at);
  return fillTemplate({ template, answers, now: clock.now(), number });
}

/**
 * Returns the document for a new draft, after a check that it accepts the values: a number must not
 * be used up without a draft.
 */
async function createSendableDocument(
  template: Template,
  answers: TemplateAnswers,
  ports: TemplateDraftPorts,
): Promise<{ readonly pdf: Uint8Array; readonly fileName: string } | null> {
  const { source, content } = template;
  if (source.kind === 'service') return null;
  const pdf = ports.stores.templates.pdf(template.id);
  // API v1 can merge at the service, and then nothing can be checked; merging on this computer is
  // tried.
  if (content.merge === 'here' || content.body.api === 'v2') {
    const { values, signatures } = fillTemplateContent(
      template,
      answers,
      template.nextNumber,
      ports,
    );
    // With drawn signatures, the form is not flattened, because the service writes into its fields.
    await ports.pdf.merge(pdf, values, signatures.size === 0);
  }
  return { pdf, fileName: source.fileName };
}

/** Merges the values that fit into the PDF, and lists the others. */
async function mergePreview(
  { id }: Template,
  { values }: FilledTemplate,
  { pdf, stores }: TemplateDraftPorts,
): Promise<{
  readonly data: Uint8Array | null;
  readonly unfilled: string[];
  readonly problems: readonly TemplateProblem[];
}> {
  const form = stores.templates.pdf(id);
  const problems: TemplateProblem[] = [];
  const left = { ...values };
  for (;;) {
    try {
      const { data, unfilled } = await pdf.merge(form, left, true);
      return { data, unfilled: [...unfilled], problems };
    } catch (error) {
      const refused = error instanceof AppError ? Object.entries(error.failure.fields ?? {}) : [];
      const found = refused.find(([name]) => Object.hasOwn(left, name));
      if (found === undefined) throw error;
      const [name, message] = found;
      delete left[name];
      const { reason, letter, cutTexts } = error instanceof AppError ? error.failure : {};
      const said =
        letter === undefined ? { message } : { message: missingCharacterMessage(letter), letter };
      if (reason === 'pdf-letters') {
        problems.push({ at: `field.${name}`, code: 'letters', ...said });
      } else if (reason === 'pdf-text-cut') {
        const fit = cutTexts?.find(({ field }) => field === name);
        problems.push({ at: `field.${name}`, code: 'text-cut', message, ...(fit && { fit }) });
      }
    }
  }
}

function rejectProblems(problems: readonly TemplateProblem[]): void {
  if (problems.length === 0) return;
  const fields = Object.fromEntries(problems.map(({ at, message }) => [at, message]));
  throw new AppError('invalid', 'The template cannot be filled with these values', {
    reason: 'problems-left',
    fields,
  });
}
