import type { UploadedFile } from '../../../../shared/contract/uploads.ts';
import { parseV2Time } from '../../../../shared/rules/time/wire-time.ts';
import type { Uploads } from '../../../core/services/ports.ts';
import { readReply, type Client } from '../http/client.ts';
import { encodeForm } from './multipart.ts';
import * as v2 from './table.ts';
import { actOnce } from '../http/write.ts';

/**
 * Lists and deletes uploaded files on the service that wait for the create request that uses them.
 */
export function createUploads(client: Client): Uploads {
  return {
    async list(signal) {
      const { reply } = await readReply(client, v2.listFiles, { signal });
      return { files: reply.items.map(readUpload), total: reply.totalCount };
    },

    async add(name, data, signal) {
      const { body, type } = await encodeForm(name, data);
      const change = { body, headers: { 'Content-Type': type }, signal };
      return actOnce(client, v2.uploadFile, change, readUpload);
    },

    async show(token, signal) {
      const { reply } = await readReply(client, v2.getFile, { path: { token }, signal });
      return reply === null ? null : readUpload(reply);
    },

    remove: (token, signal) =>
      actOnce(client, v2.deleteFile, { path: { token }, body: null, signal }, (reply) => {
        if (reply === null) return null;
        return reply.token === token ? readUpload(reply) : undefined;
      }),
  };
}

function readUpload({ token, fileName, createdOn, deletedOn }: v2.UploadReply): UploadedFile {
  return {
    token,
    fileName: fileName ?? '',
    createdOn: createdOn ?? null,
    createdAt: typeof createdOn === 'string' ? parseV2Time(createdOn) : null,
    deletedOn: deletedOn ?? null,
  };
}
