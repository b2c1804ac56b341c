import type { Draft } from '../../../shared/contract/drafts.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { ConnectionId, DraftId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  type PackedDraft,
  type PackedFile,
  parseDraftFile,
  formatDraftFile,
} from '../../../shared/rules/drafts/file.ts';
import { type AddPorts, addDraft, addFilesTo, type PreparedDraftFile } from './add.ts';
import { describeFile } from './attach.ts';
import { rejectForeignText, rejectLongText } from './foreign-text.ts';
import type { Encoding, Files, PdfForms, Sha256 } from '../ports.ts';
import type { ByteExchange } from '../host-ports.ts';
import { saveBytes } from '../bytes/save.ts';

export interface UnpackPorts extends AddPorts {
  readonly pdf: PdfForms;
  readonly sha256: Sha256;
  readonly encoding: Encoding;
}

interface TransferPorts extends UnpackPorts {
  readonly files: Files;
  readonly bytes: ByteExchange;
}

/**
 * Creates the handlers that export a draft with its files as one file, and import it on another
 * computer.
 */
export function createDraftTransferHandlers(
  ports: TransferPorts,
): Pick<Handlers, 'drafts.export' | 'drafts.import'> {
  return {
    'drafts.export': async ({ id, file: path }) =>
      saveBytes(ports.files, path, packDraft(ports, id)),
    'drafts.import': async ({ bytes, connectionId }) => {
      const packed = readPackedDraft(ports, ports.bytes.take(bytes));
      rejectForeignText(packed);
      return addPackedDraft(ports, packed, connectionId, null);
    },
  };
}

/** Packs a draft with its files in the format that another computer imports. */
export function packDraft(
  { stores, encoding }: Pick<TransferPorts, 'stores' | 'encoding'>,
  id: DraftId,
): Uint8Array {
  const { content, files } = stores.drafts.get(id);
  const packed = files.map(({ id: file, name, sha256 }): PackedFile => {
    const { data, modifiedAt } = stores.drafts.fileData(id, file);
    return { id: file, name, sha256, modifiedAt, data: encoding.base64(data) };
  });
  return encoding.utf8(formatDraftFile({ content, files: packed }));
}

/**
 * Adds a packed draft. `origin`: see `DraftStore.origin`. Throws 'invalid' with 'not-a-draft', and
 * 'newer-data'.
 */
export async function unpackDraft(
  ports: UnpackPorts,
  data: Uint8Array,
  connectionId: ConnectionId | null,
  origin: DraftId | null = null,
): Promise<Draft> {
  const packed = readPackedDraft(ports, data);
  rejectLongText(packed.content);
  return addPackedDraft(ports, packed, connectionId, origin);
}

async function addPackedDraft(
  ports: UnpackPorts,
  { content, files }: PackedDraft,
  connectionId: ConnectionId | null,
  origin: DraftId | null,
): Promise<Draft> {
  const ready: PreparedDraftFile[] = [];
  for (const file of files) ready.push(await unpackDraftContent(ports, file, content.api));
  const give = addFilesTo(ports, ready);
  return addDraft(ports, content, connectionId, (id) => {
    give(id);
    ports.stores.drafts.setOrigin(id, origin);
  });
}

function readPackedDraft({ encoding }: UnpackPorts, data: Uint8Array): PackedDraft {
  let text: string;
  try {
    text = encoding.text(data);
  } catch (cause) {
    throw invalidDraftFileError('This file is not a Signing Desk draft', cause);
  }
  return parseDraftFile(text);
}

/** Validates a file as if a user had just added it: unsendable files are refused. */
async function unpackDraftContent(
  ports: UnpackPorts,
  { id, name, sha256, modifiedAt, data: base64 }: PackedFile,
  api: 'v1' | 'v2',
): Promise<PreparedDraftFile> {
  const data = bytesOf(ports, base64, name);
  const file = await describeFile({ id, name, data }, api, ports);
  if (file.sha256 !== sha256) throw invalidDraftFileError(`${name} is damaged in the file`);
  return { file, data, modifiedAt };
}

function bytesOf({ encoding }: UnpackPorts, base64: string, name: string): Uint8Array {
  try {
    return encoding.bytes(base64);
  } catch (cause) {
    throw invalidDraftFileError(`${name} is damaged in the file`, cause);
  }
}

function invalidDraftFileError(message: string, cause?: unknown): AppError {
  return new AppError('invalid', message, { reason: 'not-a-draft', cause });
}
