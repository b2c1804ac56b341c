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

/** A PDF stored here, or the ID of a template on the service (v2, `DYNAMIC_PDF`). */
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
    /** API v2, "dynamicPdf": the service's own ID. */
    templateId: z.string(),
    /** Learnt from a local copy or an earlier agreement, because no endpoint lists them. */
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
  /** Next value of the counter. */
  nextNumber: z.number().int(),
  /** Number of drafts and batch rows made from it. */
  used: z.number().int(),
  /** Increases by one with each save; saving an older revision is a conflict. */
  revision: z.number().int(),
  createdAt: Instant,
  updatedAt: Instant,
  /** Time of its move to the trash; it is deleted permanently after the retention period. */
  trashedAt: Instant.nullable(),
});
export type Template = z.infer<typeof Template>;

export const TemplateSummary = z.object({
  id: TemplateId,
  name: z.string(),
  api: ApiName,
  kind: z.enum(['pdf', 'service']),
  fields: z.number().int(),
  /** Fields without a decision. */
  unmapped: z.number().int(),
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
  /** `field.<name>`, `question.<id>`, `role.<id>` or `title`. */
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
  /** English, for the command line. */
  message: z.string(),
  /** With 'letters'. */
  letter: MissingCharacter.optional(),
  /** With 'text-cut'. */
  fit: TextFit.optional(),
});
export type TemplateProblem = z.infer<typeof TemplateProblem>;

/** Why a drawn field is not carried over to another PDF automatically. */
export const UnsureField = z.object({
  name: z.string(),
  why: z.enum([
    /** The new PDF has fewer pages. */
    'page-gone',
    /** The page has another size or rotation. */
    'page-size',
    /** The surrounding text differs. */
    'text-differs',
    /** Another field is there already. */
    'taken',
  ]),
  /** It can keep its position. */
  canStay: z.boolean(),
});
export type UnsureField = z.infer<typeof UnsureField>;

export const PdfComparison = z.object({
  pages: z.number().int(),
  notices: z.array(PdfNotice),
  /** Mapped fields that are not in the new file. */
  lost: z.array(z.string()),
  /** Mapped fields with another type in the new file. */
  changed: z.array(z.string()),
  /** Fields that are only in the new file. */
  added: z.array(z.string()),
  /** Drawn fields with the same surroundings in the new file, which stay. */
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

const Name = z.string().trim().min(1).max(200);
const FileName = z.string().min(1).max(255);
const OneTemplate = z.object({ id: TemplateId });
/** An uploaded PDF, or the PDF of a template. */
const TemplateForm = z.union([z.object({ bytes: BytesId }), OneTemplate]);

export const templateCalls = {
  'templates.fields': call(TemplateForm, PdfForm),
  /** The merged file is under `out` on the private origin. */
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
  /** By name, including those in the trash. */
  'templates.list': call(z.object({}), z.array(TemplateSummary)),
  'templates.get': call(OneTemplate, Template),
  /** Rejects PDFs that cannot be filled, and a name that another template has ('name-taken'). */
  'templates.add': call(
    z.object({ name: Name, api: ApiName, fileName: FileName, bytes: BytesId }),
    Template,
  ),
  /** Adds a template of the service (v2); `templates.learn` finds its fields. */
  'templates.addService': call(
    z.object({ name: Name, templateId: z.string().trim().min(1).max(200) }),
    Template,
  ),
  /**
   * Learns field names of a service template from a local copy, or from an earlier agreement's
   * values.
   */
  'templates.learn': call(
    z.object({
      id: TemplateId,
      from: z.union([z.object({ bytes: BytesId, fileName: FileName }), AgreementKey]),
    }),
    Template,
  ),
  'templates.save': call(
    z.object({
      id: TemplateId,
      revision: z.number().int(),
      name: Name,
      content: TemplateContent,
    }),
    Template,
  ),
  'templates.duplicate': call(z.object({ id: TemplateId, name: Name }), Template),
  /** Moves it to the trash; it is deleted permanently after the retention period. */
  'templates.remove': call(OneTemplate, EmptyObject),
  'templates.restore': call(OneTemplate, EmptyObject),
  /** Reports what `templates.replacePdf` with the same file would break. */
  'templates.compare': call(z.object({ id: TemplateId, bytes: BytesId }), PdfComparison),
  /**
   * Replaces the PDF and drops only the sources of missing fields. Drawn fields that fit are
   * carried over; the others only if they are in `stay`, at their old position.
   */
  'templates.replacePdf': call(
    z.object({
      id: TemplateId,
      revision: z.number().int(),
      fileName: FileName,
      bytes: BytesId,
      stay: z.array(z.string()).max(MAX_PLACED_FIELDS).optional(),
    }),
    Template,
  ),
  /**
   * Replaces the drawn fields of a template's PDF; an empty list removes them. A field keeps its
   * source under its new name, unless `source` names another one. Deletes the stored drawing of
   * `templates.draw`. Throws 'invalid' with the field named.
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
  /** Stores an unfinished drawing on a template's PDF until it is placed; null deletes it. */
  'templates.draw': call(
    z.object({ id: TemplateId, revision: z.number().int(), drawing: Drawing.nullable() }),
    Template,
  ),
  /** Pages without the drawn fields; their pictures are at `/bytes/template/<id>/beneath`. */
  'templates.board': call(OneTemplate, DrawingBoard),
  /** Searches the pages without the drawn fields for places; the job's result is `FoundFields`. */
  'templates.startFind': call(OneTemplate, JobStarted),
  /** Finds places that look like blanks to fill in; stores nothing. */
  'templates.find': call(TemplateForm, z.array(FoundPlace)),
  /** Draws fields on an uploaded PDF; the result is under `out`. */
  'templates.placeOn': call(
    z.object({ bytes: BytesId, fields: PlacedFields }),
    z.object({ out: BytesId, sha256: z.string() }),
  ),
  /** Returns a template's PDF, to be filled in by its recipient. */
  'templates.pdf': call(OneTemplate, z.object({ out: BytesId, fileName: z.string() })),
  /**
   * Writes it into a folder under the next free name. `files.save` accepts no PDF, so that bytes
   * from the page cannot become a file that looks like an agreement.
   */
  'templates.savePdf': call(OneTemplate.extend({ folder: z.string().min(1) }), SavedFile),
  /**
   * Fills it once for a preview, without using up a number. `out` is null for a service template.
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
  /** Creates a draft; throws 'invalid' with the problems at their fields. */
  'templates.newDraft': call(
    z.object({
      id: TemplateId,
      connectionId: ConnectionId.nullable(),
      answers: TemplateAnswers,
    }),
    z.object({ draft: DraftId }),
  ),
  /** Exports a `.signtemplate` file under `out`, without people and without the counter's value. */
  'templates.export': call(OneTemplate, z.object({ out: BytesId, fileName: z.string() })),
  'templates.import': call(z.object({ bytes: BytesId }), Template),
} as const;

export const templateEvents = { 'templates.changed': z.object({ id: TemplateId }) } as const;
