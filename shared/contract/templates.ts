import * as z from 'zod';
import { MissingCharacter, TextFit } from '../errors.ts';
import { PageGuides } from '../model/page-guides.ts';
import { PdfPlace } from '../model/pdf-place.ts';
import { ChosenSource, Drawing, PartyDatum, TemplateContent } from '../model/template.ts';
import { SavedFile } from './agreements.ts';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import {
  AgreementKey,
  ApiName,
  BytesId,
  ConnectionId,
  DraftId,
  Instant,
  EmptyObject,
  TemplateId,
} from '../model/ids.ts';
import { PdfField, PdfForm, PdfNotice, PdfValues } from '../model/pdf-form.ts';
import { FoundPlace, MAX_PLACED_FIELDS, PlacedField, PlacedFields } from '../model/placed-field.ts';

export { PdfField, PdfForm, PdfValues };

/**
 * Source of a template: a PDF stored on this computer, or the ID of a template on the service (v2,
 * `DYNAMIC_PDF`).
 */
export const TemplateSource = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('pdf'),
    fileName: z.string(),
    bytes: z.number().int(),
    sha256: z.string(),
    form: PdfForm,
  }),
  z.object({
    kind: z.literal('service'),
    /** The service's own ID of the template (API v2, "dynamicPdf"). */
    templateId: z.string(),
    /**
     * Fields of the template, learnt from a local copy or an earlier agreement, because no endpoint
     * lists them.
     */
    fields: z.array(PdfField),
    learntFrom: z.string().nullable(),
  }),
]);
export type TemplateSource = z.infer<typeof TemplateSource>;

export const Template = z.object({
  id: TemplateId,
  name: z.string().min(1).max(200),
  source: TemplateSource,
  content: TemplateContent,
  /** Next number of the template's counter. */
  nextNumber: z.number().int(),
  /** Number of drafts and batch rows made from the template. */
  used: z.number().int(),
  /**
   * Revision of the template, which increases by one with each save; saving an older revision is a
   * conflict.
   */
  revision: z.number().int(),
  createdAt: Instant,
  updatedAt: Instant,
  /**
   * Time at which the template was moved to the trash; null if it is not there. It is deleted
   * permanently after the retention period.
   */
  trashedAt: Instant.nullable(),
});
export type Template = z.infer<typeof Template>;

export const TemplateSummary = z.object({
  id: TemplateId,
  name: z.string(),
  api: ApiName,
  kind: z.enum(['pdf', 'service']),
  /** Number of fields that can have a value. */
  fields: z.number().int(),
  /** Number of these fields whose source is undecided. */
  unmapped: z.number().int(),
  /** Whether drawn fields are stored that are not in the PDF yet. */
  isDrawn: z.boolean(),
  used: z.number().int(),
  updatedAt: Instant,
  trashedAt: Instant.nullable(),
});
export type TemplateSummary = z.infer<typeof TemplateSummary>;

/** Input for filling a template once: data of each role by role ID, answers by question ID. */
export const TemplateAnswers = z.object({
  parties: z.record(z.string(), z.partialRecord(PartyDatum, z.string())),
  questions: z.record(z.string(), z.string()),
});
export type TemplateAnswers = z.infer<typeof TemplateAnswers>;

/** A value that does not fit its field, or a question without an answer. */
export const TemplateProblem = z.object({
  /** Location of the problem: `field.<name>`, `question.<id>`, `role.<id>` or `title`. */
  at: z.string(),
  code: z.enum([
    'no-such-field',
    'no-such-role',
    'no-such-question',
    'answer-needed',
    'never-asked',
    'too-long',
    'not-offered',
    'contradicts',
    'not-yes-or-no',
    'letters',
    'text-cut',
    'placeholder',
    'not-a-day',
    'cannot-draw',
    'signature-field',
    'password-field',
    'shared-name',
  ]),
  /** Message in English, for the command line. */
  message: z.string(),
  /** For 'letters': the character that the font lacks. */
  letter: MissingCharacter.optional(),
  /** For 'text-cut': how much of the text fits. */
  fit: TextFit.optional(),
});
export type TemplateProblem = z.infer<typeof TemplateProblem>;

/** Why a drawn field is not carried over to another PDF automatically. */
export const UnsureField = z.object({
  name: z.string(),
  why: z.enum([
    /** The new PDF has fewer pages. */
    'page-gone',
    /** The new page has another size or rotation. */
    'page-size',
    /** The text around the field differs. */
    'text-differs',
    /** Another field is already at this position. */
    'taken',
  ]),
  /** Whether the field can keep its position. */
  canStay: z.boolean(),
});
export type UnsureField = z.infer<typeof UnsureField>;

export const PdfComparison = z.object({
  pages: z.number().int(),
  notices: z.array(PdfNotice),
  /** Mapped fields that are missing from the new file. */
  lost: z.array(z.string()),
  /** Mapped fields with another type in the new file. */
  changed: z.array(z.string()),
  /** Fields that are only in the new file. */
  added: z.array(z.string()),
  /** Drawn fields that stay, because the text around them is the same in the new file. */
  carried: z.array(z.string()),
  /** Drawn fields for which the user decides whether they keep their position. */
  unsure: z.array(UnsureField),
});
export type PdfComparison = z.infer<typeof PdfComparison>;

/** Pages of a template's PDF, for drawing fields on them. */
export const DrawingBoard = z.object({
  pages: z.array(PageGuides),
  /** Fields of the PDF's own form, next to which others may be drawn. */
  others: z.array(z.object({ name: z.string(), places: z.array(PdfPlace) })),
});
export type DrawingBoard = z.infer<typeof DrawingBoard>;

export const FoundFields = z.object({ found: z.array(FoundPlace).max(MAX_PLACED_FIELDS) });
export type FoundFields = z.infer<typeof FoundFields>;

const TemplateNameText = z.string().trim().min(1).max(200);
const TemplateFileName = z.string().min(1).max(255);
const TemplateReference = z.object({ id: TemplateId });
/** An uploaded PDF, or the PDF of a template. */
const TemplateForm = z.union([z.object({ bytes: BytesId }), TemplateReference]);

export const templateCalls = {
  'templates.fields': call(TemplateForm, PdfForm),
  /** Fills a form; the merged PDF is under `out` on the private origin. */
  'templates.merge': call(
    z.intersection(TemplateForm, z.object({ values: PdfValues, flatten: z.boolean() })),
    z.object({
      out: BytesId,
      bytes: z.number().int(),
      sha256: z.string(),
      filled: z.number().int(),
      unfilled: z.array(z.string()),
    }),
  ),
  /** Lists the templates by name, including those in the trash. */
  'templates.list': call(z.object({}), z.array(TemplateSummary)),
  'templates.get': call(TemplateReference, Template),
  /**
   * Adds a template. Rejects PDFs that cannot be filled, and a name that another template has
   * ('name-taken').
   */
  'templates.add': call(
    z.object({ name: TemplateNameText, api: ApiName, fileName: TemplateFileName, bytes: BytesId }),
    Template,
  ),
  /** Adds a template of the service (v2); `templates.learn` finds its fields. */
  'templates.addService': call(
    z.object({ name: TemplateNameText, templateId: z.string().trim().min(1).max(200) }),
    Template,
  ),
  /**
   * Learns field names of a service template from a local copy, or from an earlier agreement's
   * values.
   */
  'templates.learn': call(
    z.object({
      id: TemplateId,
      from: z.union([z.object({ bytes: BytesId, fileName: TemplateFileName }), AgreementKey]),
    }),
    Template,
  ),
  'templates.save': call(
    z.object({
      id: TemplateId,
      revision: z.number().int(),
      name: TemplateNameText,
      content: TemplateContent,
    }),
    Template,
  ),
  'templates.duplicate': call(z.object({ id: TemplateId, name: TemplateNameText }), Template),
  /** Moves the template to the trash; it is deleted permanently after the retention period. */
  'templates.remove': call(TemplateReference, EmptyObject),
  'templates.restore': call(TemplateReference, EmptyObject),
  /** Reports what `templates.replacePdf` with the same file would break. */
  'templates.compare': call(z.object({ id: TemplateId, bytes: BytesId }), PdfComparison),
  /**
   * Replaces the PDF of a template and drops only the sources of missing fields. Drawn fields that
   * fit are carried over; other drawn fields only if they are in `stay`, at their old position.
   */
  'templates.replacePdf': call(
    z.object({
      id: TemplateId,
      revision: z.number().int(),
      fileName: TemplateFileName,
      bytes: BytesId,
      stay: z.array(z.string()).max(MAX_PLACED_FIELDS).optional(),
    }),
    Template,
  ),
  /**
   * Replaces the drawn fields of a template's PDF; an empty list removes them. A field keeps its
   * source under its new name, unless `source` has another one. Deletes the stored drawing of
   * `templates.draw`. Throws 'invalid' with the name of the field.
   */
  'templates.place': call(
    z.object({
      id: TemplateId,
      revision: z.number().int(),
      fields: z
        .array(
          PlacedField.extend({
            was: z.string().optional(),
            source: ChosenSource.nullable().optional(),
          }),
        )
        .max(MAX_PLACED_FIELDS),
    }),
    Template,
  ),
  /**
   * Stores the unfinished drawing of fields on a template's PDF until the fields are placed; null
   * deletes it.
   */
  'templates.draw': call(
    z.object({ id: TemplateId, revision: z.number().int(), drawing: Drawing.nullable() }),
    Template,
  ),
  /**
   * Returns the pages without the drawn fields; their pictures are at
   * `/bytes/template/<id>/beneath`.
   */
  'templates.board': call(TemplateReference, DrawingBoard),
  /**
   * Searches the pages, without the drawn fields, for blanks to fill in. The job's result is
   * `FoundFields`.
   */
  'templates.startFind': call(TemplateReference, JobStarted),
  /** Finds positions that look like blanks to fill in; stores nothing. */
  'templates.find': call(TemplateForm, z.array(FoundPlace)),
  /** Draws fields on an uploaded PDF; the result is under `out`. */
  'templates.placeOn': call(
    z.object({ bytes: BytesId, fields: PlacedFields }),
    z.object({ out: BytesId, sha256: z.string() }),
  ),
  /** Returns a template's PDF, to be filled in by its recipient. */
  'templates.pdf': call(TemplateReference, z.object({ out: BytesId, fileName: z.string() })),
  /**
   * Writes the template's PDF into a folder under the next free name. `files.save` accepts no PDF,
   * so that bytes from the page cannot become a file that looks like an agreement.
   */
  'templates.savePdf': call(TemplateReference.extend({ folder: z.string().min(1) }), SavedFile),
  /**
   * Fills the template once for a preview, without using up a number. `out` is null for a service
   * template.
   */
  'templates.try': call(
    z.object({ id: TemplateId, answers: TemplateAnswers }),
    z.object({
      out: BytesId.nullable(),
      title: z.string(),
      values: PdfValues,
      unfilled: z.array(z.string()),
      problems: z.array(TemplateProblem),
    }),
  ),
  /** Creates a draft from a template; throws 'invalid' with the problems by field. */
  'templates.newDraft': call(
    z.object({
      id: TemplateId,
      connectionId: ConnectionId.nullable(),
      answers: TemplateAnswers,
    }),
    z.object({ draft: DraftId }),
  ),
  /** Exports a `.signtemplate` file under `out`, without people and without the counter's value. */
  'templates.export': call(TemplateReference, z.object({ out: BytesId, fileName: z.string() })),
  'templates.import': call(z.object({ bytes: BytesId }), Template),
} as const;

export const templateEvents = { 'templates.changed': z.object({ id: TemplateId }) } as const;
