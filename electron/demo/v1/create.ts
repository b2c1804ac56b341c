import { owners } from '../state/account.ts';
import { readJson, type Place } from '../server/body.ts';
import { nameOf } from '../server/behaviour.ts';
import { json, requireJsonType, type Answer, type Exchange } from '../server/http.ts';
import { planCounterpartAct } from '../events/passing-time.ts';
import type { Service } from '../state/service.ts';
import { callerOf } from './access.ts';
import { readDeadlines, type Draft } from './draft.ts';
import { etag, post } from '../state/life-v1.ts';
import { readAttachments } from './read-attachments.ts';
import { readNotifications } from './read-notifications.ts';
import { readParties } from './read-parties.ts';
import { readAccessRights, readConfigurations, readLinks, readTags } from './read-settings.ts';
import type { Agreement } from '../state/record-v1.ts';
import { defaultResponseShape } from './query.ts';
import { viewAgreement } from './view.ts';

const AGREEMENT_FIELDS = [
  'title',
  'expireOn',
  'deleteOn',
  'configurations',
  'attachments',
  'parties',
  'notifications',
  'accessRights',
  'links',
  'tags',
];

export async function createAgreement(exchange: Exchange, service: Service): Promise<Answer> {
  requireJsonType(exchange);
  const now = service.now();
  const agreement = await readAgreement(readJson(exchange.body), service, {
    now,
    ownerId: callerOf(exchange),
  });
  addAgreement(agreement, service);
  post(agreement, now);
  planCounterpartAct(agreement, service, now);
  service.store.changed();
  return json(
    { data: viewAgreement(agreement, defaultResponseShape) },
    { headers: { ETag: etag(agreement) } },
  );
}

/**
 * Returns a new agreement, not visible to its parties yet.
 * @throws Refusal with 400 or 422 if the body breaks a rule.
 */
export async function readAgreement(
  body: Place,
  service: Service,
  by: { now: number; ownerId: string },
): Promise<Agreement> {
  body.object(AGREEMENT_FIELDS);
  const title = body.get('title').needText();
  const deadlines = readDeadlines(body, by.now, { expireOn: null, deleteOn: null });
  const draft: Draft = { store: service.store, now: by.now, expireOn: deadlines.expireOn };
  const configurations = readConfigurations(body.get('configurations'), draft);
  const parties = readParties(body.get('parties'), draft, configurations);
  const agreement: Agreement = {
    ...createBlankAgreement(by.now),
    id: service.store.uuid(),
    ownerId: by.ownerId,
    title: nameOf(title, service.behaviour),
    ...deadlines,
    configurations,
    attachments: await readAttachments(body.get('attachments'), draft, parties),
    parties,
    notifications: readNotifications(
      body.get('notifications'),
      {
        media: ['EMAIL', 'SMS', 'WEBHOOK'],
        usualAddress: owners.find(({ id }) => id === by.ownerId)?.email ?? null,
        configurations,
      },
      draft,
    ),
    accessRights: readAccessRights(body.get('accessRights'), draft),
    links: readLinks(body.get('links')),
    tags: readTags(body.get('tags')),
  };
  body.finish(422);
  return agreement;
}

/** Stores a new agreement, and groups that no earlier agreement named. */
export function addAgreement(agreement: Agreement, { store }: Service): void {
  store.agreements.set(agreement.id, agreement);
  for (const { type, actorId, actorName, description } of agreement.accessRights) {
    if (type === 'GRANT_BY_NAME' && actorId !== null && actorName !== null) {
      store.groups.set(actorId, { id: actorId, name: actorName, description });
    }
  }
}

function createBlankAgreement(now: number) {
  return {
    state: 'DRAFT',
    version: 0,
    createdOn: now,
    lastActivityOn: now,
    postedOn: null,
    closedOn: null,
    rejectedOn: null,
    revokedOn: null,
    expiredOn: null,
    lastSignedOn: null,
    importedOn: null,
    actAt: null,
  } as const;
}
