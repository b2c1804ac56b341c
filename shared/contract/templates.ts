import * as z from 'zod';
import { MissingLetter, TextFit } from '../errors.ts';
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
  Nothing,
  TemplateId,
} from '../model/ids.ts';
import { PdfField, PdfForm, PdfNotice, PdfValues } from '../model/pdf-form.ts';
import { FoundPlace, MAX_PLACED, PlacedField, PlacedFields } from '../model/placed-field.ts';

export { PdfField, PdfForm, PdfValues };

/** A PDF kept here, or the id of a template on the service (v2, `DYNAMIC_PDF`). */
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
    /** API v2, "dynamicPdf": the service's own id. */
    templateId: z.string(),
    /** What no endpoint lists: learnt from a local copy or an earlier agreement. */
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
  /** The number the counter gives next. */
  nextNumber: z.number().int(),
  /** Drafts and batch rows made from it. */
  used: z.number().int(),
  /** Grows by one with each save; a save against an older one is a conflict. */
  revision: z.number().int(),
  createdAt: Instant,
  updatedAt: Instant,
  /** In the trash since; removed for good once the setting says so. */
  trashedAt: Instant.nullable(),
});
export type Template = z.infer<typeof Template>;

export const TemplateSummary = z.object({
  id: TemplateId,
  name: z.string(),
  api: ApiName,
  kind: z.enum(['pdf', 'service']),
  fields: z.number().int(),
  /** Fields that nobody decided about. */
  unmapped: z.number().int(),
  used: z.number().int(),
  updatedAt: Instant,
  trashedAt: Instant.nullable(),
});
export type TemplateSummary = z.infer<typeof TemplateSummary>;

/** What fills a template once: data of each role by the role's id, answers by the question's id. */
export const TemplateAnswers = z.object({
  parties: z.record(z.string(), z.partialRecord(PartyDatum, z.string())),
  questions: z.record(z.string(), z.string()),
});
export type TemplateAnswers = z.infer<typeof TemplateAnswers>;

/** A value that cannot go into its field, or a question without its answer. */
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
  letter: MissingLetter.optional(),
  /** With 'text-cut'. */
  fit: TextFit.optional(),
});
export type TemplateProblem = z.infer<typeof TemplateProblem>;

/** Why a drawn field does not go over to another PDF by itself. */
export const UnsureField = z.object({
  name: z.string(),
  why: z.enum([
    /** It has fewer pages. */
    'page-gone',
    /** The page has another size, or is turned. */
    'page-size',
    /** Something else stands around it. */
    'text-differs',
    /** Another field is there already. */
    'taken',
  ]),
  /** It can be kept where it was. */
  canStay: z.boolean(),
});
export type UnsureField = z.infer<typeof UnsureField>;

/** What another PDF would do to a template's mapping. */
export const PdfComparison = z.object({
  pages: z.number().int(),
  notices: z.array(PdfNotice),
  /** Mapped fields that are not in the new file. */
  lost: z.array(z.string()),
  /** Mapped fields of another type now. */
  changed: z.array(z.string()),
  /** Fields nobody has seen before. */
  added: z.array(z.string()),
  /** Drawn fields that find what stood around them where it stood, and stay. */
  carried: z.array(z.string()),
  /** Drawn fields of which a person has to say whether they stay where they were. */
  unsure: z.array(UnsureField),
});
export type PdfComparison = z.infer<typeof PdfComparison>;

/** The pages of a template's PDF, for drawing on them. */
export const DrawingBoard = z.object({
  pages: z.array(PageGuides),
  /** Fields of the PDF's own form, beside which others may be drawn. */
  others: z.array(z.object({ name: z.string(), places: z.array(PdfPlace) })),
});
export type DrawingBoard = z.infer<typeof DrawingBoard>;

/** How a search for places ended. */
export const FoundFields = z.object({ found: z.array(FoundPlace).max(MAX_PLACED) });
export type FoundFields = z.infer<typeof FoundFields>;

const Name = z.string().trim().min(1).max(200);
const FileName = z.string().min(1).max(255);
const One = z.object({ id: TemplateId });
/** A PDF that was handed over, or the one of a template. */
const Form = z.union([z.object({ bytes: BytesId }), One]);

export const templateCalls = {
  'templates.fields': call(Form, PdfForm),
  /** The merged file waits under `out` on the private origin. */
  'templates.merge': call(
    z.intersection(Form, z.object({ values: PdfValues, flatten: z.boolean() })),
    z.object({
      out: BytesId,
      bytes: z.number().int(),
      sha256: z.string(),
      filled: z.number().int(),
      unfilled: z.array(z.string()),
    }),
  ),
  /** By name; those in the trash too. */
  'templates.list': call(z.object({}), z.array(TemplateSummary)),
  'templates.get': call(One, Template),
  /** Refuses PDFs that cannot be filled, and a name that another template has ('name-taken'). */
  'templates.add': call(
    z.object({ name: Name, api: ApiName, fileName: FileName, bytes: BytesId }),
    Template,
  ),
  /** A template that lies on the service (v2); its fields are learnt by `templates.learn`. */
  'templates.addService': call(
    z.object({ name: Name, templateId: z.string().trim().min(1).max(200) }),
    Template,
  ),
  /** Field names of a service template from a local copy, or from an earlier agreement's values. */
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
  /** Into the trash, from which the settings remove it for good one day. */
  'templates.remove': call(One, Nothing),
  'templates.restore': call(One, Nothing),
  /** What `templates.replacePdf` with the same file would break. */
  'templates.compare': call(z.object({ id: TemplateId, bytes: BytesId }), PdfComparison),
  /**
   * Takes another PDF; sources of fields it lacks are dropped, and nothing else. Drawn fields that
   * fit go over to it, and of the others those in `stay`, where they were.
   */
  'templates.replacePdf': call(
    z.object({
      id: TemplateId,
      revision: z.number().int(),
      fileName: FileName,
      bytes: BytesId,
      stay: z.array(z.string()).max(MAX_PLACED).optional(),
    }),
    Template,
  ),
  /**
   * Draws the fields of a template's PDF, in place of those drawn before; none takes them away. What
   * filled a field stays with it under its new name, unless a `source` says what is to fill it now. What
   * `templates.draw` kept is forgotten. Throws 'invalid' with the field named.
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
        .max(MAX_PLACED),
    }),
    Template,
  ),
  /** What is drawn on a template's PDF, kept until it is placed; null forgets it. */
  'templates.draw': call(
    z.object({ id: TemplateId, revision: z.number().int(), drawing: Drawing.nullable() }),
    Template,
  ),
  /** The pages beneath all fields that were drawn; their picture is at `/bytes/template/<id>/beneath`. */
  'templates.board': call(One, DrawingBoard),
  /** Looks for places beneath all fields that were drawn; the job ends with `FoundFields`. */
  'templates.startFind': call(One, JobStarted),
  /** Places that look as if something were to be filled in there; nothing is stored. */
  'templates.find': call(Form, z.array(FoundPlace)),
  /** Draws fields on a PDF that was handed over; it waits under `out`. */
  'templates.placeOn': call(
    z.object({ bytes: BytesId, fields: PlacedFields }),
    z.object({ out: BytesId, sha256: z.string() }),
  ),
  /** A template's PDF, to be filled by whoever gets it. */
  'templates.pdf': call(One, z.object({ out: BytesId, fileName: z.string() })),
  /**
   * Writes it into a folder under the next free name. `files.save` takes no PDF: what the page
   * handed over is not made a file that looks like an agreement.
   */
  'templates.savePdf': call(One.extend({ folder: z.string().min(1) }), SavedFile),
  /** Fills it once for looking at: no number is used up. `out` is null for a service template. */
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
  /** Makes a draft; throws 'invalid' with the problems at their fields. */
  'templates.newDraft': call(
    z.object({
      id: TemplateId,
      connectionId: ConnectionId.nullable(),
      answers: TemplateAnswers,
    }),
    z.object({ draft: DraftId }),
  ),
  /** A `.signtemplate` file, waiting under `out`; without people, without the counter's number. */
  'templates.export': call(One, z.object({ out: BytesId, fileName: z.string() })),
  'templates.import': call(z.object({ bytes: BytesId }), Template),
} as const;

export const templateEvents = { 'templates.changed': z.object({ id: TemplateId }) } as const;
