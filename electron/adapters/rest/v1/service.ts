import type { Capabilities } from '../../../../shared/contract/connections.ts';
import { AppError, isCode } from '../../../../shared/errors.ts';
import type { AgreementService, Download, WriteResult } from '../../../core/ports.ts';
import { readReply, type RequestOptions, type Client } from '../http/client.ts';
import { testConnection } from '../both/connection-test.ts';
import { textIn } from '../both/encode.ts';
import { openFile, openLinkedFile } from '../http/remote-file.ts';
import { countV1, listV1, withNotFoundError, readV1 } from './agreements.ts';
import { scanV1 } from './scan.ts';
import { inSlices } from '../http/pages.ts';
import { selectionFilter } from './selection.ts';
import { encodeCreateV1, encodeSignV1 } from './write.ts';
import * as v1 from './table.ts';
import { isEcho, writeOnce } from '../http/write.ts';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

export const capabilitiesV1: Capabilities = {
  api: 'v1',
  etags: true,
  tags: true,
  absoluteExpiry: true,
  attachmentDownload: true,
  changeAfterSending: true,
  reminders: true,
  rejectForParty: false,
  share: false,
};

/**
 * Overlap of two readings of changes (ms). It is undocumented whether `after:` includes its time,
 * and clocks differ. A list may also lag: older events may appear minutes late.
 */
const CHANGE_OVERLAP_MS = 15 * MINUTE;
/**
 * Filter for all agreements that wait for signatures, without drafts (API v1, "List Agreements").
 */
const OPEN_FILTER = selectionFilter({ state: 'AWAITING' });

/** Implements the `AgreementService` port with API v1; hides the API's peculiarities. */
export function createV1Service(client: Client): AgreementService {
  return {
    capabilities: capabilitiesV1,
    requestCount: () => client.transport.requestCount(),

    changes(since, signal, place) {
      const filter = since === null ? {} : selectionFilter({ active: activeAfter(since) });
      return inSlices(listV1(client, filter, signal, place));
    },

    countOpen: (signal) => countV1(client, OPEN_FILTER, signal),

    open: (signal, place) => inSlices(listV1(client, OPEN_FILTER, signal, place)),

    read: (id, signal) => readV1(client, id, signal),

    uploadFirst: null,

    encodeCreate(content, files, ref) {
      if (content.api === 'v1') return encodeCreateV1(content.body, files, ref);
      throw new AppError(
        'invalid',
        'The draft was made for API v2, but the connection uses API v1',
      );
    },

    create(body, signal): Promise<WriteResult> {
      const title = textIn(body, 'title');
      return writeOnce(client, v1.createAgreement, { body, signal }, ({ data }) => ({
        remoteId: data.id,
        isOurs: isEcho(data.title, title),
      }));
    },

    credential: client.credential,

    scan: (query, onPage, signal) => scanV1(client, query, onPage, signal),

    encodeSign: encodeSignV1,

    sign({ agreementId, partyId, configurationId, body }, signal) {
      const path = { id: agreementId, partyId, configurationId };
      return writeOnce(client, v1.signAgreement, { path, body, signal }, ({ data }) => ({
        remoteId: data.id,
        isOurs: data.id.toLowerCase() === agreementId.toLowerCase(),
      }));
    },

    download: (id, signal) => downloadConcluded(client, { path: { id }, signal }),

    downloadDocument: (id, attachmentId, signal) =>
      withNotFoundError(client, signal, () =>
        openLinkedFile(client, v1.downloadAttachment, { path: { id, attachmentId }, signal }),
      ),

    test: (signal) =>
      testConnection(client.base, client.clock, 'accepted', async () => {
        const query = v1.SMALLEST_PAGE;
        const { reply, serverTime } = await readReply(client, v1.listAgreements, { query, signal });
        return { total: reply.meta.totalRecords, serverTime };
      }),
  };
}

function activeAfter(since: number): { readonly from: number } {
  return { from: Math.max(0, since - CHANGE_OVERLAP_MS) };
}

/**
 * Downloads a concluded agreement. Status 400 means that it is not concluded yet (API v1, "Download
 * Agreement").
 */
async function downloadConcluded(client: Client, ask: RequestOptions): Promise<Download> {
  try {
    return await withNotFoundError(client, ask.signal, () =>
      openFile(client, v1.downloadAgreement, ask),
    );
  } catch (error) {
    if (!isCode(error, 'invalid')) throw error;
    throw new AppError('conflict', error.message, { reason: 'not-concluded' });
  }
}
