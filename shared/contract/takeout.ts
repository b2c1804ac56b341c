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
import { hasUniqueFileIds, DraftContent } from './drafts.ts';
import { EvidenceEntry } from './evidence.ts';
import { JobStarted } from './jobs.ts';
import { GroupId, MemberChoices, Person, PersonId } from './people.ts';
import { SheetRow } from './sheets.ts';
import { Template, TemplateSource } from './templates.ts';

/*
 * Data export: all data of a computer in a folder that other programs can read. The folder has a
 * JSON file for each item, tables for spreadsheets, and documents as files. Times are epoch
 * milliseconds. The JSON schemas in the export are generated from this file.
 */

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Path in the export: lower case, at most one folder deep, so that no path leaves the export. */
const DataExportPath = z.string().regex(/^(?:[a-z]{1,20}\/)?[a-z0-9][a-z0-9.-]{0,120}$/);

/**
 * Maximum of a counter: a value near the limit of exact integers could not be incremented later.
 */
const DataExportCount = z.number().int().min(0).max(1_000_000_000);

export const DataExportKind = z.enum(['drafts', 'templates', 'people', 'batches']);
export type DataExportKind = z.infer<typeof DataExportKind>;

/** Properties that every version of an export has. */
export const DataExportHeader = z.object({
  format: z.literal('signing-desk-export'),
  version: z.number().int().min(1),
});

/** Version that this program writes. Version 1 lacked sent drafts and the choices of groups. */
export const DATA_EXPORT_VERSION = 2;

/** Content of `manifest.json`, which lists all other files and is written last. */
export const DataExportManifest = z.object({
  format: z.literal('signing-desk-export'),
  version: z.literal([1, DATA_EXPORT_VERSION]),
  program: z.string(),
  madeAt: Instant,
  files: z.array(
    z.object({
      file: DataExportPath,
      kind: z.enum([
        ...DataExportKind.options,
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
export type DataExportManifest = z.infer<typeof DataExportManifest>;

/** Content of `drafts/….json`. */
export const ExportedDraft = z.object({
  id: DraftId,
  state: z.enum(['open', 'sending', 'sent', 'trashed']),
  /** How the draft was sent; `agreement` is null if the service never returned the ID. */
  sent: z
    .object({ ref: OutboxRef, agreement: AgreementId.nullable(), at: Instant })
    .nullable()
    .optional(),
  /** ID of the same draft on every computer, if it differs from the ID on this one. */
  origin: DraftId.nullable().optional(),
  connection: z.string().nullable(),
  content: DraftContent,
  files: z
    .array(
      z.object({
        id: FileId,
        name: z.string().min(1).max(255),
        file: DataExportPath,
        modifiedAt: z.number().transform(Math.round).pipe(Instant).nullable(),
      }),
    )
    .refine(hasUniqueFileIds),
  createdAt: Instant,
  updatedAt: Instant,
});
export type ExportedDraft = z.infer<typeof ExportedDraft>;

/** Content of `templates/….json`. */
export const ExportedTemplate = Template.pick({
  id: true,
  name: true,
  createdAt: true,
  updatedAt: true,
  trashedAt: true,
}).extend({
  nextNumber: DataExportCount,
  used: DataExportCount,
  source: TemplateSource,
  content: TemplateContent,
  /** Path of the PDF; null for a template on the service. */
  file: DataExportPath.nullable(),
});
export type ExportedTemplate = z.infer<typeof ExportedTemplate>;

/** A member of a group: a person, their choices, or, for our own company, choices only. */
const ExportedGroupMember = z.object({
  person: PersonId.nullable(),
  choices: MemberChoices.nullable(),
});

/** Content of `people.json`. */
export const ExportedPeople = z.object({
  people: z.array(
    z.object({
      id: PersonId,
      person: Person,
      times: DataExportCount,
      usedAt: Instant,
      addedAt: Instant,
      changedAt: Instant,
    }),
  ),
  groups: z.array(
    z.object({
      id: GroupId,
      name: z.string().min(1).max(100),
      /** Members of the group in order; version 1 of the export has only people. */
      members: z.array(
        z.union([
          ExportedGroupMember,
          PersonId.transform((person) => ExportedGroupMember.parse({ person, choices: null })),
        ]),
      ),
    }),
  ),
});
export type ExportedPeople = z.infer<typeof ExportedPeople>;

/** Content of `batches/….json`. */
export const ExportedBatch = Batch.pick({
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
  /** Batch in which the rows were first; absent in an export of an earlier version. */
  origin: BatchId.optional(),
  connection: z.string().nullable(),
  template: z.string().nullable(),
  /** Path of the original spreadsheet; null if it is no longer kept. */
  file: DataExportPath.nullable(),
  rows: z.array(
    SheetRow.extend({
      choice: z.boolean().nullable(),
      /** Result of the row; null if it was never sent. */
      result: z
        .object({ state: z.string(), agreement: z.string().nullable(), at: Instant })
        .nullable(),
    }),
  ),
});
export type ExportedBatch = z.infer<typeof ExportedBatch>;

/**
 * Content of `evidence.json`. The `hash` of an entry is the SHA-256 of the entry's JSON text with
 * sorted keys, without `hash` and without white space.
 */
export const ExportedEvidenceLog = z.object({
  format: z.literal('signing-desk-evidence'),
  entries: z.array(EvidenceEntry),
});

/** Content of `archive.json`: signed PDFs in archive folders, which are not in the export. */
export const ExportedArchive = z.object({
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

export const WrittenDataExport = z.object({
  folder: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  counts: z.record(DataExportKind, z.number().int()),
  evidence: z.number().int(),
  archived: z.number().int(),
});
export type WrittenDataExport = z.infer<typeof WrittenDataExport>;

/**
 * Numbers of items for each kind. `added`: the import adds them. `beside`: it adds them next to
 * different items with the same ID. `same`: this computer already has them. `passed`: it skips
 * them, because they were being sent, deleted or erased, are older than those on this computer, or
 * lack their file. `removed`: those of the skipped items that were removed on this computer.
 */
export const DataExportCounts = z.record(
  DataExportKind,
  z.object({
    added: z.number().int(),
    beside: z.number().int(),
    same: z.number().int(),
    passed: z.number().int(),
    removed: z.number().int(),
  }),
);
export type DataExportCounts = z.infer<typeof DataExportCounts>;

export const DataExportSummary = z.object({
  program: z.string(),
  madeAt: Instant,
  counts: DataExportCounts,
  /**
   * Result of verifying the evidence log of the export, which never joins the log of another
   * computer.
   */
  evidence: z.object({ entries: z.number().int(), firstBroken: z.number().int().nullable() }),
  archived: z.number().int(),
});
export type DataExportSummary = z.infer<typeof DataExportSummary>;

export const DataExportReading = z.object({ look: DataExportSummary, isImported: z.boolean() });
export type DataExportReading = z.infer<typeof DataExportReading>;

const DataExportFolder = z.object({ folder: z.string().min(1) });

export const takeoutCalls = {
  /**
   * Writes an export into a new folder within `folder`. Runs as a job whose result is a
   * `WrittenDataExport`.
   */
  'takeout.write': call(DataExportFolder, JobStarted),
  /**
   * Compares every file of an export with the manifest and reports what an import would add. Runs
   * as a job whose result is a `DataExportReading`. Fails with 'invalid' and 'not-an-export' or
   * 'export-changed', and with 'newer-data'.
   */
  'takeout.look': call(DataExportFolder, JobStarted),
  /**
   * Checks an export as `takeout.look` does, and adds its items. Sends nothing and changes no
   * existing data.
   */
  'takeout.import': call(DataExportFolder, JobStarted),
} as const;
