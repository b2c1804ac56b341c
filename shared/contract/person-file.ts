import * as z from 'zod';
import { Person } from './people.ts';

/** Time in ISO 8601, in UTC. */
const IsoTime = z.string();

const PersonFileDraft = z.object({
  title: z.string(),
  state: z.enum(['open', 'sending', 'sent', 'trashed']),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  /** The create body of the draft's API. */
  content: z.json(),
  /** Files of the draft; `file` is the path relative to the export folder. */
  files: z.array(z.object({ name: z.string(), file: z.string(), sha256: z.string() })),
});

/** `person.json`: all data of one computer about one person, with unmasked personal numbers. */
export const PersonFile = z.object({
  format: z.literal('signing-desk-person'),
  version: z.literal(1),
  madeAt: IsoTime,
  person: Person,
  groups: z.array(z.string()),
  drafts: z.array(PersonFileDraft),
  /** Copies of agreements, as the service returned them. */
  copies: z.array(z.object({ connection: z.string(), id: z.string(), agreement: z.json() })),
  batchRows: z.array(
    z.object({
      batch: z.string(),
      row: z.number().int(),
      /** Texts of the row's cells by column header. */
      cells: z.record(z.string(), z.string()),
      /** Cells as they were in the spreadsheet file, if cells were changed; otherwise null. */
      original: z.array(z.string()).nullable(),
      state: z.string().nullable(),
      agreement: z.string().nullable(),
    }),
  ),
  /** Actions on agreements from this computer: corrected addresses, reminders and others. */
  corrections: z.array(
    z.object({
      kind: z.string(),
      state: z.string(),
      title: z.string(),
      agreement: z.string().nullable(),
      at: IsoTime,
      goal: z.json(),
    }),
  ),
  /** Items of the outbox: sends and signatures from this computer. */
  records: z.array(
    z.object({
      kind: z.string(),
      state: z.string(),
      title: z.string(),
      agreement: z.string().nullable(),
      people: z.json(),
      at: IsoTime,
    }),
  ),
  /** Entries of the evidence log, as they are hashed. */
  evidence: z.array(z.json()),
  /** PDFs in archives of this computer; they are not copied into the export. */
  archive: z.array(
    z.object({ title: z.string(), file: z.string(), sha256: z.string(), savedAt: IsoTime }),
  ),
  templates: z.array(z.object({ name: z.string(), content: z.json() })),
});
export type PersonFile = z.infer<typeof PersonFile>;
