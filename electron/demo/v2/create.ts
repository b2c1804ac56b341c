import { company } from '../state/account.ts';
import { readJson, type Place } from '../server/body.ts';
import { nameOf } from '../server/behaviour.ts';
import { json, type Answer, type Exchange } from '../server/http.ts';
import { planLegacyCounterpartAct } from '../events/passing-time.ts';
import type { Service } from '../state/service.ts';
import { DAY, parseWallStamp, toStockholmDay } from '../server/stamps.ts';
import { readContent } from './read-content.ts';
import { checkNotices } from './read-notices.ts';
import { readLegacyParties } from './read-parties.ts';
import type { LegacyAgreement, Upload } from '../state/record-v2.ts';
import { viewLegacy } from './view.ts';

const LEGACY_AGREEMENT_FIELDS = [
  'name',
  'type',
  'expireIn',
  'drawSignature',
  'hideUnsigned',
  'signatureMessage',
  'additionalTBS',
  'notificationMessages',
  'allowEmailSigning',
  'reminders',
  'parties',
  'text',
  'dynamicPdf',
  'attachments',
  'webhook',
];
const DEFAULT_EXPIRE_IN = 60;
const MAX_EXPIRE_IN = 99;

export function createLegacy(exchange: Exchange, service: Service): Answer {
  const by = { now: service.now(), ownerOrgNo: company.orgNo };
  const { agreement, taken } = readLegacy(readJson(exchange.body), service, by);
  service.store.legacy.set(agreement.referenceNumber, agreement);
  const { usedToken, v2Zone } = service.behaviour;
  for (const upload of taken) {
    if (usedToken === 'refused') upload.blob = null;
    upload.isRemoved = true;
  }
  planLegacyCounterpartAct(agreement, service, by.now);
  service.store.changed();
  return json(viewLegacy(agreement, 'create', v2Zone));
}

/**
 * Returns a new agreement, not stored yet, and the uploads it uses.
 * @throws Refusal with 400 if the body breaks a rule.
 */
export function readLegacy(
  body: Place,
  { store, behaviour }: Service,
  by: { now: number; ownerOrgNo: string },
): { agreement: LegacyAgreement; taken: readonly Upload[] } {
  body.object(LEGACY_AGREEMENT_FIELDS);
  const name = body.get('name').needText();
  const expireIn = body.get('expireIn').whole(0, MAX_EXPIRE_IN) ?? DEFAULT_EXPIRE_IN;
  const { drawSignature } = checkNotices(body, by.now);
  const { taken, ...content } = readContent(body, store);
  const parties = readLegacyParties(body.get('parties'), {
    store,
    drawSignature,
    attachmentCount: content.attachments.length,
  });
  body.finish(400);
  const agreement: LegacyAgreement = {
    referenceNumber: store.reference(),
    ownerOrgNo: by.ownerOrgNo,
    name: nameOf(name, behaviour),
    status: 'POSTED',
    version: 1,
    postedOn: by.now,
    expireOn: endOfDay(by.now + expireIn * DAY),
    lastModifiedOn: by.now,
    closedOn: null,
    rejectedOn: null,
    revokedOn: null,
    ...content,
    parties,
    shares: [],
    actAt: null,
  };
  return { agreement, taken };
}

/**
 * Returns the last second of the day (epoch ms), so that an agreement of 0 days lasts until
 * midnight.
 */
function endOfDay(at: number): number {
  return parseWallStamp(toStockholmDay(at), 'end') ?? at;
}
