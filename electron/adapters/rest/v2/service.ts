import type { Capabilities } from '../../../../shared/contract/connections.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { AgreementService } from '../../../core/ports.ts';
import { readReply, type Client } from '../http/client.ts';
import { testConnection } from '../both/connection-test.ts';
import { textIn } from '../both/encode.ts';
import type { Query } from '../http/endpoint.ts';
import { openFile } from '../http/remote-file.ts';
import { countV2, listV2 } from './agreements.ts';
import { scanV2 } from './scan.ts';
import { readAgreementV2 } from './read.ts';
import { inSlices } from '../http/pages.ts';
import { selectionQuery } from './selection.ts';
import { uploadFirstV2 } from './upload-first.ts';
import { encodeCreateV2, encodeSignV2 } from './write.ts';
import * as v2 from './table.ts';
import { isEcho, writeOnce } from '../http/write.ts';
import { HOUR } from '../../../../shared/rules/time/units.ts';

export const capabilitiesV2: Capabilities = {
  api: 'v2',
  etags: false,
  tags: false,
  absoluteExpiry: false,
  attachmentDownload: false,
  changeAfterSending: false,
  reminders: false,
  rejectForParty: true,
  share: true,
};

/**
 * Overlap of two readings (ms). It covers both meanings of "CET", fixed and with summer time, and
 * the repeated hour in October.
 */
const MODIFIED_OVERLAP_MS = 2 * HOUR;
/**
 * Returns the query for all agreements that wait for signatures (API v2, "List Agreements"). It is
 * a function, since its times are computed for each request.
 */
const openQuery = (): Query => selectionQuery({ status: 'NOT_SIGNED' });

/**
 * Implements the `AgreementService` port with API v2; hides the API's peculiarities.
 * @param orgNo organisation number of the user's own company; null offers every company party for
 * signing
 */
export function createV2Service(client: Client, orgNo: string | null): AgreementService {
  return {
    capabilities: capabilitiesV2,
    requestCount: () => client.transport.requestCount(),

    changes: (since, signal, place) =>
      inSlices(listV2(client, modifiedSince(since), orgNo, signal, place)),

    countOpen: (signal) => countV2(client, openQuery(), signal),

    open: (signal, place) => inSlices(listV2(client, openQuery(), orgNo, signal, place)),

    async read(id, signal) {
      const ask = { path: { referenceNumber: id }, signal };
      return readAgreementV2((await readReply(client, v2.getAgreement, ask)).reply, orgNo);
    },

    encodeCreate(content, files) {
      if (content.api === 'v2') return encodeCreateV2(content.body, files);
      throw new AppError(
        'invalid',
        'The draft was made for API v1, but the connection uses API v2',
      );
    },

    uploadFirst: uploadFirstV2,

    create(body, signal) {
      const name = textIn(body, 'name');
      return writeOnce(client, v2.createAgreement, { body, signal }, (reply) => ({
        remoteId: reply.referenceNumber,
        isOurs: isEcho(reply.name, name),
      }));
    },

    credential: client.credential,

    scan: (query, onPage, signal) => scanV2(client, query, onPage, signal),

    encodeSign: encodeSignV2,

    sign({ agreementId, body }, signal) {
      const path = { referenceNumber: agreementId };
      return writeOnce(client, v2.signAgreement, { path, body, signal }, (reply) => ({
        remoteId: reply.referenceNumber,
        isOurs: reply.referenceNumber === agreementId,
      }));
    },

    download: (id, signal) =>
      openFile(client, v2.downloadAgreement, { path: { referenceNumber: id }, signal }),

    downloadDocument: () =>
      Promise.reject(new AppError('invalid', 'API v2 does not provide attachments')),

    test: (signal) =>
      testConnection(client.base, client.clock, 'accepted-user-unchecked', async () => {
        const query = { ...modifiedSince(null), ...v2.SMALLEST_PAGE };
        const { reply, serverTime } = await readReply(client, v2.listAgreements, { query, signal });
        return { total: reply.totalCount, serverTime };
      }),
  };
}

/**
 * Returns the query for changed agreements: only this selection uses the time of the last change
 * (API v2, "List Agreements").
 */
function modifiedSince(since: number | null): Query {
  const from = since === null ? {} : { from: since - MODIFIED_OVERLAP_MS };
  return selectionQuery({ status: 'MODIFIED', ...from });
}
