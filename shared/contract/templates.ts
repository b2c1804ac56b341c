import * as z from 'zod';
import { PartyDatum, TemplateContent } from '../model/template.ts';
import { call } from './call.ts';
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
  /** In the trash since; removed for good after 30 days. */
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
    'too-long',
    'not-offered',
    'not-yes-or-no',
    'letters',
    'placeholder',
    'not-a-day',
    'cannot-draw',
    'signature-field',
    'shared-name',
  ]),
  /** English, for the command line. */
  message: z.string(),
});
export type TemplateProblem = z.infer<typeof TemplateProblem>;

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
});
export type PdfComparison = z.infer<typeof PdfComparison>;

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
  /** Into the trash; after 30 days for good. */
  'templates.remove': call(One, Nothing),
  'templates.restore': call(One, Nothing),
  /** What `templates.replacePdf` with the same file would break. */
  'templates.compare': call(z.object({ id: TemplateId, bytes: BytesId }), PdfComparison),
  /** Takes another PDF; sources of fields it lacks are dropped, and nothing else. */
  'templates.replacePdf': call(
    z.object({
      id: TemplateId,
      revision: z.number().int(),
      fileName: FileName,
      bytes: BytesId,
    }),
    Template,
  ),
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
