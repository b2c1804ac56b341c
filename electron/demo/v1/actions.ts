import { readJson } from '../server/body.ts';
import {
  bytes,
  json,
  noContent,
  requirePathParameter,
  requireJsonType,
  type Answer,
  type Exchange,
} from '../server/http.ts';
import { planCounterpartAct } from '../events/passing-time.ts';
import { Refusal } from '../server/refusal.ts';
import type { Service } from '../state/service.ts';
import { findPermittedAgreement, findParty } from './access.ts';
import { emailRule, mobileRule, readDeadlines, readTimestamp } from './draft.ts';
import { etag, isOpen, requireMatchingEtag, revoke, sign, recordChange } from '../state/life-v1.ts';
import { readShape, defaultResponseShape } from './query.ts';
import { countryRule } from './read-parties.ts';
import type { Agreement } from '../state/record-v1.ts';
import { isPersonNumber } from '../server/formats.ts';
import { viewAgreement } from './view.ts';

export function fetchAgreement(exchange: Exchange, service: Service): Answer {
  const agreement = findPermittedAgreement(exchange, service, 'read');
  const data = viewAgreement(agreement, readShape(exchange.query));
  return json({ data }, { headers: { ETag: etag(agreement) } });
}

export async function downloadAgreement(exchange: Exchange, service: Service): Promise<Answer> {
  const agreement = findPermittedAgreement(exchange, service, 'read');
  if (!/\bapplication\/pdf\b/i.test(exchange.headers['accept'] ?? '')) {
    throw new Refusal(400, 'The header Accept: application/pdf is required.');
  }
  if (agreement.state !== 'SIGNED_BY_ALL') {
    throw new Refusal(400, 'The agreement is not concluded.');
  }
  return bytes('application/pdf', await service.pdfs.ofAgreement(agreement));
}

export function deleteAgreement(exchange: Exchange, service: Service): Answer {
  const agreement = findPermittedAgreement(exchange, service, 'delete');
  service.store.agreements.delete(agreement.id);
  service.store.changed();
  return noContent();
}

export function revokeAgreement(exchange: Exchange, service: Service): Answer {
  const agreement = findPermittedAgreement(exchange, service, 'own');
  if (!isOpen(agreement)) {
    throw new Refusal(400, `An agreement in state ${agreement.state} cannot be revoked.`);
  }
  revoke(agreement, service.now());
  return answerChangedAgreement(agreement, service);
}

/**
 * Signs for a party through the API: only with a signing configuration of type API, and only if it
 * is the party's turn.
 */
export function signAgreement(exchange: Exchange, service: Service): Answer {
  requireJsonType(exchange);
  const agreement = findPermittedAgreement(exchange, service, 'update');
  const party = findParty(exchange, agreement);
  const configuration = party.signingConfigurations.find(
    ({ id }) => id === requirePathParameter(exchange, 'signingConfigurationId'),
  );
  if (configuration === undefined)
    throw new Refusal(404, 'There is no such signing configuration.');
  const { signedOn, ...signer } = readSigner(exchange, service.now());
  if (!isOpen(agreement)) {
    throw new Refusal(400, `An agreement in state ${agreement.state} cannot be signed.`);
  }
  if (configuration.type !== 'API') throw new Refusal(400, 'Only the type API can be signed here.');
  if (party.state !== 'READY_TO_SIGN') {
    throw new Refusal(400, `A party in state ${party.state} cannot sign.`);
  }
  const at = service.now();
  sign(agreement, party, { configuration, at, signer, signedOn: signedOn ?? at });
  return answerChangedAgreement(agreement, service);
}

export function updateAgreement(exchange: Exchange, service: Service): Answer {
  requireJsonType(exchange);
  const agreement = findPermittedAgreement(exchange, service, 'own');
  requireMatchingEtag(etag(agreement), exchange.headers['if-match']);
  const body = readJson(exchange.body).object(['expireOn', 'deleteOn']);
  const now = service.now();
  const deadlines = readDeadlines(body, now, agreement);
  if (body.get('expireOn').isPresent && !isOpen(agreement)) {
    body.get('expireOn').refuse('conflict', 'The agreement can no longer be signed.');
  }
  body.finish(400);
  Object.assign(agreement, deadlines);
  recordChange(agreement, now);
  return answerChangedAgreement(agreement, service);
}

function readSigner({ body }: Exchange, now: number) {
  const place = readJson(body).object([
    'firstName',
    'lastName',
    'country',
    'signedOn',
    'personNumber',
    'email',
    'mobile',
  ]);
  const country = place.get('country').text(countryRule);
  const signedOn = readTimestamp(place.get('signedOn'));
  if (signedOn !== null && signedOn > now) {
    place.get('signedOn').refuse('range', 'Must not be in the future.');
  }
  const signer = {
    firstName: place.get('firstName').text(),
    lastName: place.get('lastName').text(),
    country,
    personNumber: place.get('personNumber').text({
      form: (text) => isPersonNumber(country, text),
      called: 'a personal identity number of the country',
    }),
    email: place.get('email').text(emailRule),
    mobile: place.get('mobile').text(mobileRule),
    signedOn,
  };
  place.finish(400);
  return signer;
}

function answerChangedAgreement(agreement: Agreement, service: Service): Answer {
  planCounterpartAct(agreement, service, service.now());
  service.store.changed();
  const headers = { ETag: etag(agreement) };
  return json({ data: viewAgreement(agreement, defaultResponseShape) }, { headers });
}
