import type { NotificationPlace } from '../../../electron/core/services/ports.ts';
import type { WriteResult } from '../../../electron/core/ports.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import type { DraftBodyV1, DraftBodyV2 } from '../../../shared/contract/drafts.ts';
import type { AgreementId } from '../../../shared/model/ids.ts';
import { REF, actionsV1, id, neverStops, openV1, openV2 } from './desk.ts';
import { draftV1, draftV2, onePage } from './drafts.ts';

/** A v1 agreement that waits for our company and for a person, with its parts. */
export interface SentV1 extends NotificationPlace {
  readonly etag: string;
  readonly attachmentId: string;
  /** Our own party. */
  readonly ours: { readonly partyId: string; readonly configurationId: string };
}

export async function sendV1(demo: Demo, change: Partial<DraftBodyV1> = {}): Promise<SentV1> {
  const service = openV1(demo.v1Url);
  const body = service.encodeCreate(draftV1(change), await onePage(), REF);
  const agreement = idOf(await service.create(body, neverStops));
  const { etag, parties, documents } = await service.read(agreement, neverStops);
  const person = parties?.find(({ kind }) => kind === 'person');
  const ours = parties?.find(({ kind }) => kind === 'my-company');
  const extras = await actionsV1(demo.v1Url).extras(agreement, neverStops);
  const notifications =
    extras.parties.find((party) => party.id === person?.id)?.notifications ?? [];
  return {
    id: agreement,
    etag: etag ?? '',
    partyId: person?.id ?? '',
    notificationId: notifications.find(({ type }) => type === 'READY_TO_SIGN')?.id ?? '',
    attachmentId: documents?.[0]?.id ?? '',
    ours: { partyId: ours?.id ?? '', configurationId: ours?.apiSigning ?? '' },
  };
}

/** Sends a v2 agreement that waits for our company and for a person. */
export async function sendV2(demo: Demo, change: Partial<DraftBodyV2> = {}): Promise<AgreementId> {
  const service = openV2(demo.v2Url);
  const body = service.encodeCreate(draftV2(change), await onePage(), REF);
  return idOf(await service.create(body, neverStops));
}

function idOf(result: WriteResult): AgreementId {
  if (result.kind === 'done') return id(result.remoteId ?? '');
  throw new Error(`Not created: ${result.failure.message}`);
}
