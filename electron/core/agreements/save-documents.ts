import type { SavedDocuments } from '../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AgreementDocument } from '../../../shared/model/agreement.ts';
import { documentName } from '../../../shared/rules/files/document-name.ts';
import { foldName } from '../../../shared/rules/files/file-name.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { acceptMimeType } from '../bytes/accept.ts';
import { type FreshCopyPorts, readFreshAgreement } from '../services/fresh-copy.ts';
import { requireAction } from '../services/capabilities.ts';
import type { Files } from '../ports.ts';

interface SavePorts extends FreshCopyPorts {
  readonly files: Files;
  readonly toFailure: ToFailure;
}

interface SaveDocumentsInput {
  readonly key: AgreementKey;
  readonly folder: string;
  readonly documentId?: string | undefined;
}

/**
 * Saves all attachments of an agreement one by one, or only the named one. Never overwrites a file.
 * If an attachment fails, the failure is reported and the others continue, unless the folder itself
 * fails.
 */
export async function saveDocuments(
  ports: SavePorts,
  wanted: SaveDocumentsInput,
): Promise<SavedDocuments> {
  const { stores, services, files } = ports;
  const { key, folder, documentId } = wanted;
  requireAction(stores, key.connectionId, 'saveDocuments');
  const { signal } = new AbortController();
  const documents = await readDocumentList(ports, key, documentId, signal);
  const taken = new Set((await files.prepareFolder(folder)).map(foldName));
  const result: SavedDocuments = { files: [], failed: [] };
  for (const document of documents) {
    const name = documentName(document, taken);
    const { id } = document;
    try {
      if (id === null) {
        throw new AppError(
          'service',
          'The service gave no ID for the attachment, so it cannot be downloaded',
        );
      }
      const download = await services.use(key.connectionId, (service) =>
        service.downloadDocument(key.id, id, signal),
      );
      const accept = acceptMimeType(document.mimeType);
      const saved = await files.saveNew(files.join(folder, name), download, accept, signal);
      taken.add(foldName(name));
      result.files.push({ ...saved, documentId: id, name });
    } catch (error) {
      const failure = ports.toFailure(error, 'actions.saveDocuments');
      if (failure.code === 'storage') throw error;
      result.failed.push({ documentId: id, name, failure });
    }
  }
  return result;
}

/**
 * Returns the attachments to save. Throws 'not-found' if there is no attachment with the given ID.
 */
async function readDocumentList(
  ports: SavePorts,
  key: AgreementKey,
  documentId: string | undefined,
  signal: AbortSignal,
): Promise<readonly AgreementDocument[]> {
  const remote = await readFreshAgreement(ports, key, signal);
  if (remote === null) throw new AppError('not-found', 'The service does not have this agreement');
  // The answer may omit the attachments; if so, the attachments received earlier are used.
  const all = remote.documents ?? ports.stores.agreements.details(key).documents ?? [];
  if (documentId === undefined) return all;
  const one = all.filter(({ id }) => id === documentId);
  if (one.length === 0) {
    throw new AppError('not-found', 'The agreement does not have this attachment');
  }
  return one;
}
