import type { ActionsV1, ActionsV2 } from '../../../electron/core/services/ports.ts';
import type { AgreementService, Download, Signer } from '../../../electron/core/ports.ts';
import type { AgreementId } from '../../../shared/model/ids.ts';
import { REF, all, collect, neverStops } from './desk.ts';
import { draftV1, draftV2, onePage } from './drafts.ts';
import type { SentV1 } from './sent.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

export interface Desk {
  readonly v1: AgreementService;
  readonly v2: AgreementService;
  readonly actionsV1: ActionsV1;
  readonly actionsV2: ActionsV2;
}

/** Agreements and file that the calls use; any text if the service ignores the argument. */
export interface About {
  readonly v1: SentV1;
  readonly v2: AgreementId;
  /** Token of an uploaded file. */
  readonly token: string;
}

export type Call = (desk: Desk, about: About) => Promise<unknown>;

const PERSON = '198507099805';
const COMPANY = '5599990008';

export const signer: Signer = {
  firstName: 'Karin',
  lastName: 'Lindqvist',
  personNumber: PERSON,
  country: 'SE',
  email: null,
  mobile: null,
  orgNo: COMPANY,
};

/** Client call for each endpoint row, by the name of the row. */
export const calls: Readonly<Record<string, Call>> = {
  'v1.agreements.create': async ({ v1 }) =>
    v1.create(v1.encodeCreate(draftV1(), await onePage(), REF), neverStops),
  'v1.agreements.fetch': ({ v1 }, about) => v1.read(about.v1.id, neverStops),
  'v1.agreements.fetch-extras': ({ actionsV1 }, about) => actionsV1.extras(about.v1.id, neverStops),
  'v1.agreements.fetch-links': ({ actionsV1 }, { v1: { id, partyId } }) =>
    actionsV1.signingLink(id, partyId, neverStops),
  'v1.agreements.list': ({ v1 }) => all(v1),
  'v1.agreements.download': async ({ v1 }, about) =>
    bytesOf(await v1.download(about.v1.id, neverStops)),
  'v1.agreements.delete': ({ actionsV1 }, about) => actionsV1.remove(about.v1.id, neverStops),
  'v1.agreements.update': ({ actionsV1 }, { v1: { id, etag } }) =>
    actionsV1.change(id, { expiresAt: Date.now() + DAY }, etag, neverStops),
  'v1.agreements.revoke': ({ actionsV1 }, about) => actionsV1.revoke(about.v1.id, neverStops),
  'v1.parties.sign': ({ v1 }, { v1: { id, ours } }) =>
    v1.sign(
      { agreementId: id, ...ours, body: v1.encodeSign(signer, Date.now() - 1000) },
      neverStops,
    ),
  'v1.parties.update-email': ({ actionsV1 }, { v1: { id, partyId, etag } }) =>
    actionsV1.correctEmail({ id, partyId }, 'new@example.com', etag, neverStops),
  'v1.notifications.fetch': ({ actionsV1 }, about) =>
    actionsV1.readNotification(about.v1, neverStops),
  'v1.notifications.recipients': ({ actionsV1 }, { v1: place }) => {
    const recipients = [{ medium: 'SMS', address: '+46701740605' }] as const;
    return actionsV1.replaceRecipients(place, recipients, place.etag, neverStops);
  },
  'v1.notifications.delete': ({ actionsV1 }, { v1: place }) =>
    actionsV1.silence(place, place.etag, neverStops),
  'v1.notifications.notify': ({ actionsV1 }, about) => actionsV1.remind(about.v1, neverStops),
  'v1.attachments.download': async ({ v1 }, { v1: { id, attachmentId } }) =>
    bytesOf(await v1.downloadDocument(id, attachmentId, neverStops)),

  'v2.agreements.create': async ({ v2 }) =>
    v2.create(v2.encodeCreate(draftV2(), await onePage(), REF), neverStops),
  'v2.agreements.list': ({ v2 }) => all(v2),
  'v2.agreements.get': ({ v2 }, about) => v2.read(about.v2, neverStops),
  'v2.agreements.get-extras': ({ actionsV2 }, about) => actionsV2.extras(about.v2, neverStops),
  'v2.agreements.get-xml': ({ actionsV2 }, about) => actionsV2.raw(about.v2, 'xml', neverStops),
  'v2.agreements.fields': ({ actionsV2 }, about) => actionsV2.fieldValues(about.v2, neverStops),
  'v2.agreements.download': async ({ v2 }, about) =>
    bytesOf(await v2.download(about.v2, neverStops)),
  'v2.agreements.reject': ({ actionsV2 }, about) =>
    actionsV2.reject(
      about.v2,
      actionsV2.encodeReject({ partyType: 'PRIVATE', personNo: PERSON }),
      neverStops,
    ),
  'v2.agreements.revoke': ({ actionsV2 }, about) => actionsV2.revoke(about.v2, neverStops),
  'v2.agreements.delete': ({ actionsV2 }, about) => actionsV2.remove(about.v2, neverStops),
  'v2.agreements.sign': ({ v2 }, about) =>
    v2.sign(
      {
        agreementId: about.v2,
        partyId: COMPANY,
        configurationId: 'company',
        body: v2.encodeSign(signer, Date.now() - 1000),
      },
      neverStops,
    ),
  'v2.agreements.share': ({ actionsV2 }, about) =>
    actionsV2.share(
      about.v2,
      {
        with: { type: 'PERSON', personNo: PERSON },
        email: 'asa@example.com',
        message: null,
        until: null,
      },
      neverStops,
    ),
  'v2.files.upload': ({ actionsV2 }) =>
    actionsV2.uploads.add('avtal.pdf', new Uint8Array([1, 2, 3]), neverStops),
  'v2.files.list': ({ actionsV2 }) => actionsV2.uploads.list(neverStops),
  'v2.files.get': ({ actionsV2 }, { token }) => actionsV2.uploads.show(token, neverStops),
  'v2.files.delete': ({ actionsV2 }, { token }) => actionsV2.uploads.remove(token, neverStops),
};

async function bytesOf({ chunks }: Download): Promise<Uint8Array> {
  return Buffer.concat(await collect(chunks));
}
