import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { IntakeTerms, IntakeWaitReason } from '../../../shared/contract/intake.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import { AppError, isCode } from '../../../shared/errors.ts';
import {
  type ApiName,
  type ConnectionId,
  type DraftId,
  FileId,
} from '../../../shared/model/ids.ts';
import { titleOf } from '../../../shared/rules/drafts/check.ts';
import { canonicalJson } from '../../../shared/rules/evidence/canonical-json.ts';
import { plainContent, templateContent } from '../../../shared/rules/intake/content.ts';
import {
  type IntakeData,
  EMPTY_INTAKE_DATA,
  intakeDataError,
} from '../../../shared/rules/intake/data.ts';
import { usesNumber } from '../../../shared/rules/templates/values.ts';
import { type AddPorts, addDraft, addFilesTo } from '../drafts/add.ts';
import { describeFile } from '../drafts/attach.ts';
import type { PdfForms, Stores } from '../ports.ts';
import {
  type BesidePorts,
  isUnfinished,
  type SidecarData,
  type SidecarSheet,
  whyTooLarge,
} from './sidecar.ts';
import { newBatch } from '../batches/new-batch.ts';
import type { SeenFile } from './look.ts';
import type { FileAsRead, ImportedFile } from './ports.ts';
import { EXCESS_COMBINING_MARKS } from '../../../shared/rules/text/long-marks.ts';

export interface JudgePorts extends BesidePorts, AddPorts {
  readonly stores: Pick<
    Stores,
    'intake' | 'drafts' | 'templates' | 'batches' | 'connections' | 'evidence'
  >;
  readonly pdf: PdfForms;
}

/** Decision about a file and its sidecar file, as they were read. */
export type ValidationResult =
  /**
   * `make` stores the draft (and returns its id) or the rows, within the commit that records the
   * imported file.
   */
  | {
      readonly what: 'draft' | 'sheet';
      readonly title: string;
      readonly taken: ImportedFile;
      readonly make: () => DraftId | null;
      readonly from: FileAsRead<SeenFile>;
      readonly beside: FileAsRead<SeenFile> | null;
    }
  /** The file was imported before; it may still be in the folder because it was never moved. */
  | {
      readonly what: 'again';
      readonly title: string;
      readonly taken: ImportedFile & { readonly isMoved: boolean };
      readonly from: FileAsRead<SeenFile>;
      readonly beside: FileAsRead<SeenFile> | null;
    }
  | {
      readonly what: 'refused';
      readonly failure: AppError;
      readonly from: FileAsRead<SeenFile>;
      readonly beside: FileAsRead<SeenFile> | null;
    }
  | { readonly what: 'waits'; readonly why: IntakeWaitReason };

/**
 * Decides about a PDF with its sidecar data. Stores nothing. Throws errors that are not the file's
 * fault.
 */
export async function validatePdf(
  ports: JudgePorts,
  terms: IntakeTerms,
  file: SeenFile,
  said: SidecarData,
): Promise<ValidationResult> {
  if (said.kind === 'waits') return { what: 'waits', why: said.why };
  const unread = { entry: file, sha256: null };
  if (said.kind === 'refused') {
    return { what: 'refused', failure: said.failure, from: unread, beside: said.from };
  }
  const beside = said.kind === 'data' ? said.from : null;
  const data = said.kind === 'data' ? said.data : null;
  if (data === null && terms.needsData) return { what: 'waits', why: 'no-data' };
  const tooLarge = whyTooLarge(file);
  if (tooLarge !== null) return { what: 'refused', failure: tooLarge, from: unread, beside };
  const bytes = await ports.watched.read(terms.folder, file);
  if (bytes.why !== null) return { what: 'waits', why: bytes.why };
  const from = { entry: file, sha256: bytes.sha256 };
  const taken = importedFileOf(ports, terms, file, { own: bytes.sha256, said });
  const known = ports.stores.intake.known(terms.folder, taken.hash);
  if (known !== null) {
    const again = { ...taken, isMoved: known.isMoved };
    return { what: 'again', title: file.name, taken: again, from, beside };
  }
  try {
    const { content, make } = await draftOf(ports, terms, {
      name: file.name.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC'),
      bytes: bytes.data,
      modifiedAt: Math.round(file.changedAt),
      data: data ?? EMPTY_INTAKE_DATA,
    });
    return { what: 'draft', title: titleOf(content), taken, make, from, beside };
  } catch (error) {
    if (!isCode(error, 'invalid')) throw error;
    if (isUnfinished(file, error)) return { what: 'waits', why: 'being-written' };
    return { what: 'refused', failure: error, from, beside };
  }
}

/** Decides about a spreadsheet whose rows are agreements. */
export function validateSheet(
  ports: JudgePorts,
  terms: IntakeTerms,
  { file, data, sha256, sheet }: Extract<SidecarSheet, { kind: 'rows' }>,
): ValidationResult {
  const from = { entry: file, sha256 };
  const taken = importedFileOf(ports, terms, file, { own: sha256, said: null });
  const known = ports.stores.intake.known(terms.folder, taken.hash);
  if (known !== null) return { what: 'again', title: file.name, taken: known, from, beside: null };
  const { connectionId, templateId } = terms;
  const name = file.name.replace(/\.[^.]+$/, '').slice(0, 200) || file.name;
  const order = { name, fileName: file.name, choices: {}, connectionId, templateId };
  const made = newBatch(ports, { ...order, data, sheet });
  const make = (): null => {
    ports.stores.batches.insert(made);
    ports.emit('batches.changed', { id: made.batch.id });
    return null;
  };
  return { what: 'sheet', title: name, taken, make, from, beside: null };
}

/** Returns a text that is equal for the same data, in any file and order. */
function hashOfData({ sha256, encoding }: JudgePorts, data: IntakeData): string {
  const { parties, answers, others, title, api, connection, template } = data;
  const said = { title, api, connection, template, answers, others };
  const people = parties.map(({ person, role }) => ({ ...person, role }));
  return sha256(encoding.utf8(canonicalJson({ ...said, parties: people })));
}

/**
 * Returns the hash of the data, its file name and its arrival: the same data next month is a new
 * import.
 */
export function hashOfImportData(
  ports: JudgePorts,
  data: IntakeData,
  { nameHash, arrivedAt }: SeenFile,
): string {
  const text = `${hashOfData(ports, data)} ${nameHash} ${String(arrivedAt)}`;
  return ports.sha256(ports.encoding.utf8(text));
}

function importedFileOf(
  ports: JudgePorts,
  { folder }: IntakeTerms,
  { nameHash }: SeenFile,
  { own, said }: { readonly own: string; readonly said: SidecarData | null },
): ImportedFile {
  if (said?.kind !== 'data') return { folder, hash: own, nameHash, dataHash: null };
  const { data, by } = said;
  const hash = ports.sha256(ports.encoding.utf8(`${own} ${hashOfData(ports, data)}`));
  return { folder, hash, nameHash, dataHash: hashOfImportData(ports, data, by) };
}

interface ImportedDocument {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly modifiedAt: number;
  readonly data: IntakeData;
}

async function draftOf(
  ports: JudgePorts,
  terms: IntakeTerms,
  { name, bytes, modifiedAt, data }: ImportedDocument,
): Promise<{ readonly content: DraftContent; readonly make: () => DraftId }> {
  const { api, connectionId, template } = resolveTargets(ports, terms, data);
  const id = FileId.parse(ports.chance.uuid());
  const file = await describeFile({ id, name, data: bytes }, api, ports);
  const now = ports.clock.now();
  const form = template === null ? null : await ports.pdf.read(bytes);
  const contentWith = (number: number): DraftContent =>
    template === null || form === null
      ? plainContent(api, { id, name }, data, now)
      : templateContent({ template, data, form, file: { id, name }, number, now });
  const content = contentWith(template?.nextNumber ?? 0);
  const make = (): DraftId => {
    const { templates } = ports.stores;
    const isNumbered = template !== null && usesNumber(template);
    const made = isNumbered ? contentWith(templates.takeNumber(template.id)) : content;
    if (template !== null) templates.countUse(template.id);
    const give = addFilesTo(ports, [{ file, data: bytes, modifiedAt }]);
    // No event per draft: the caller announces many drafts together.
    return addDraft({ ...ports, emit: () => {} }, made, connectionId, give).id;
  };
  return { content, make };
}

interface ResolvedTargets {
  readonly api: ApiName;
  readonly connectionId: ConnectionId | null;
  readonly template: Template | null;
}

/**
 * Returns the API, connection and template of a file. Its sidecar data overrides the rule; values
 * of the rule that conflict with the data are ignored. Throws 'invalid' for unknown names, and for
 * a connection and a template that belong to different APIs.
 */
function resolveTargets(
  { stores }: JudgePorts,
  terms: IntakeTerms,
  data: IntakeData,
): ResolvedTargets {
  const connections = stores.connections.list();
  const named =
    data.connection === null ? null : connections.find((one) => isNamed(one, data.connection));
  if (named === undefined) throw intakeDataError('no-connection');
  const kept = stores.templates.list().filter(({ trashedAt }) => trashedAt === null);
  const wanted = data.template === null ? null : kept.find((one) => isNamed(one, data.template));
  if (wanted === undefined) throw intakeDataError('no-template');
  const usual = terms.templateId === null ? null : stores.templates.get(terms.templateId);
  const own = connections.find(({ id }) => id === terms.connectionId);
  const asked = new Set(
    [data.api, wanted?.content.body.api, named?.api].filter(
      (one) => one !== null && one !== undefined,
    ),
  );
  if (asked.size > 1) throw intakeDataError('not-together');
  const api = [...asked][0] ?? usual?.content.body.api ?? own?.api ?? terms.api;
  const template = wanted ?? (usual?.content.body.api === api ? usual : null);
  const connection = named ?? (own?.api === api ? own : null);
  return { api, connectionId: connection?.id ?? null, template };
}

const isNamed = ({ name }: { readonly name: string }, asked: string | null): boolean =>
  name.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC').toLowerCase() ===
  asked?.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC').trim().toLowerCase();
