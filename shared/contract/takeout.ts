import * as z from 'zod';
import { TemplateContent } from '../model/template.ts';
import {
  AgreementId,
  BatchId,
  ConnectionId,
  DraftId,
  FileId,
  Instant,
  OutboxRef,
} from '../model/ids.ts';
import { Batch, BatchStage } from './batches.ts';
import { call } from './call.ts';
import { areSingle, DraftContent } from './drafts.ts';
import { EvidenceEntry } from './evidence.ts';
import { JobStarted } from './jobs.ts';
import { GroupId, MemberChoices, Person, PersonId } from './people.ts';
import { SheetRow } from './sheets.ts';
import { Template, TemplateSource } from './templates.ts';

/*
 * Everything of a desk in a folder that other programs can read: a JSON file for each thing, tables
 * for spreadsheets, documents as files. Instants are epoch milliseconds. Schemas of these files are
 * made from this page, and lie beside them.
 */

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Lower case, in one folder at most: no name leads out of the export. */
const TakenPath = z.string().regex(/^(?:[a-z]{1,20}\/)?[a-z0-9][a-z0-9.-]{0,120}$/);

/** What is counted on here: a number at the limit of what is exact could not be read any more after that. */
const TakenCount = z.number().int().min(0).max(1_000_000_000);

export const TakeoutKind = z.enum(['drafts', 'templates', 'people', 'batches']);
export type TakeoutKind = z.infer<typeof TakeoutKind>;

/** What an export says of itself, in every version. */
export const TakeoutHead = z.object({
  format: z.literal('signing-desk-export'),
  version: z.number().int().min(1),
});

/** What this program writes. Version 1 left out drafts that were sent, and what groups choose. */
export const TAKEOUT_VERSION = 2;

/** `manifest.json`: what else is in the folder; written last. */
export const TakeoutManifest = z.object({
  format: z.literal('signing-desk-export'),
  version: z.literal([1, TAKEOUT_VERSION]),
  program: z.string(),
  madeAt: Instant,
  files: z.array(
    z.object({
      file: TakenPath,
      kind: z.enum([
        ...TakeoutKind.options,
        'evidence',
        'archive',
        'document',
        'table',
        'schema',
        'about',
      ]),
      bytes: z.number().int(),
      sha256: Sha256,
    }),
  ),
});
export type TakeoutManifest = z.infer<typeof TakeoutManifest>;

/** `drafts/….json` */
export const ExportedDraft = z.object({
  id: DraftId,
  state: z.enum(['open', 'sending', 'sent', 'trashed']),
  /** As what it was sent; `agreement` is null where the service never said which it became. */
  sent: z
    .object({ ref: OutboxRef, agreement: AgreementId.nullable(), at: Instant })
    .nullable()
    .optional(),
  /** The draft that it is at every desk, where that has another id. */
  origin: DraftId.nullable().optional(),
  connection: z.string().nullable(),
  content: DraftContent,
  files: z
    .array(
      z.object({
        id: FileId,
        name: z.string().min(1).max(255),
        file: TakenPath,
        modifiedAt: z.number().transform(Math.round).pipe(Instant).nullable(),
      }),
    )
    .refine(areSingle),
  createdAt: Instant,
  updatedAt: Instant,
});
export type ExportedDraft = z.infer<typeof ExportedDraft>;

/** `templates/….json` */
export const TakenTemplate = Template.pick({
  id: true,
  name: true,
  createdAt: true,
  updatedAt: true,
  trashedAt: true,
}).extend({
  nextNumber: TakenCount,
  used: TakenCount,
  source: TemplateSource,
  content: TemplateContent,
  /** Of the PDF; null for a template that the service has. */
  file: TakenPath.nullable(),
});
export type TakenTemplate = z.infer<typeof TakenTemplate>;

/** A place in a group: a person, what was chosen for them, or, of our own company, choices alone. */
const TakenMember = z.object({ person: PersonId.nullable(), choices: MemberChoices.nullable() });

/** `people.json` */
export const TakenPeople = z.object({
  people: z.array(
    z.object({
      id: PersonId,
      person: Person,
      times: TakenCount,
      usedAt: Instant,
      addedAt: Instant,
      changedAt: Instant,
    }),
  ),
  groups: z.array(
    z.object({
      id: GroupId,
      name: z.string().min(1).max(100),
      /** In their order; people alone where an export of version 1 names them. */
      members: z.array(
        z.union([
          TakenMember,
          PersonId.transform((person) => TakenMember.parse({ person, choices: null })),
        ]),
      ),
    }),
  ),
});
export type TakenPeople = z.infer<typeof TakenPeople>;

/** `batches/….json` */
export const TakenBatch = Batch.pick({
  id: true,
  name: true,
  templateId: true,
  fileName: true,
  sheet: true,
  choices: true,
  mapping: true,
  matches: true,
  schedule: true,
  policy: true,
  createdAt: true,
  updatedAt: true,
}).extend({
  stage: BatchStage,
  /** The batch that its rows were in first; absent where an earlier version wrote the export. */
  origin: BatchId.optional(),
  connection: z.string().nullable(),
  template: z.string().nullable(),
  /** The sheet as it was chosen; null where it is not kept any more. */
  file: TakenPath.nullable(),
  rows: z.array(
    SheetRow.extend({
      choice: z.boolean().nullable(),
      /** What became of the row; null where it was never sent. */
      result: z
        .object({ state: z.string(), agreement: z.string().nullable(), at: Instant })
        .nullable(),
    }),
  ),
});
export type TakenBatch = z.infer<typeof TakenBatch>;

/**
 * `evidence.json`: sorting an entry's keys, leaving `hash` out and printing it without white space
 * gives the text whose SHA-256 is its `hash`.
 */
export const TakenEvidence = z.object({
  format: z.literal('signing-desk-evidence'),
  entries: z.array(EvidenceEntry),
});

/** `archive.json`: signed PDFs that lie in folders of the archive, and are not in the export. */
export const TakenArchive = z.object({
  files: z.array(
    z.object({
      folder: z.string(),
      file: z.string(),
      bytes: z.number().int(),
      sha256: z.string(),
      connectionId: ConnectionId,
      id: AgreementId,
      title: z.string(),
      parties: z.array(z.string()).nullable(),
      closedAt: Instant.nullable(),
      savedAt: Instant,
    }),
  ),
});

/** What was written. */
export const TakeoutWritten = z.object({
  folder: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  counts: z.record(TakeoutKind, z.number().int()),
  evidence: z.number().int(),
  archived: z.number().int(),
});
export type TakeoutWritten = z.infer<typeof TakeoutWritten>;

/**
 * Of each kind: what an import adds; what is here and says something else, and is added beside
 * it; what is here already; what it passes over, since it was being sent, thrown away or forgotten, is
 * older than what is here, or lacks its file; and how many of those were removed here.
 */
export const TakeoutCounts = z.record(
  TakeoutKind,
  z.object({
    added: z.number().int(),
    beside: z.number().int(),
    same: z.number().int(),
    passed: z.number().int(),
    removed: z.number().int(),
  }),
);
export type TakeoutCounts = z.infer<typeof TakeoutCounts>;

export const TakeoutLook = z.object({
  program: z.string(),
  madeAt: Instant,
  counts: TakeoutCounts,
  /** Read and checked alone: it never joins the log of another desk. */
  evidence: z.object({ entries: z.number().int(), firstBroken: z.number().int().nullable() }),
  archived: z.number().int(),
});
export type TakeoutLook = z.infer<typeof TakeoutLook>;

/** What an import did, or, for a look, would do. */
export const TakeoutRead = z.object({ look: TakeoutLook, isImported: z.boolean() });
export type TakeoutRead = z.infer<typeof TakeoutRead>;

const Folder = z.object({ folder: z.string().min(1) });

export const takeoutCalls = {
  /** Into a new folder within `folder`. A job; its result is a `TakeoutWritten`. */
  'takeout.write': call(Folder, JobStarted),
  /**
   * Checks every file of an export against its list, and says what an import would add. A job; its
   * result is a `TakeoutRead`. It fails with 'invalid' and 'not-an-export' or 'export-changed',
   * and with 'newer-data'.
   */
  'takeout.look': call(Folder, JobStarted),
  /** The same, and adds it. Nothing is sent, and nothing that is here is changed. */
  'takeout.import': call(Folder, JobStarted),
} as const;
