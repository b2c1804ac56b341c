import type { Answer, Exchange } from '../server/http.ts';
import type { Api, Handler, Route } from '../server/router.ts';
import type { Service } from '../state/service.ts';
import { admitKey, asSigner, asUser } from './access.ts';
import {
  deleteLegacy,
  downloadLegacy,
  getLegacy,
  listFields,
  rejectAgreement,
  revokeAgreement,
  shareAgreement,
  signForCompany,
} from './actions.ts';
import { createLegacy } from './create.ts';
import { deleteFile, getFile, listFiles, uploadFile } from './files.ts';
import { listLegacy } from './list.ts';
import { explainLegacy } from './messages.ts';
import { toXml } from './xml.ts';

const AGREEMENT = '/agreements/:referenceNumber';
const FILES = '/files/attachment/agreement';

const routes: readonly Route<Service>[] = [
  { method: 'POST', path: '/agreements', run: asUser(createLegacy) },
  { method: 'GET', path: '/agreements', run: listLegacy },
  { method: 'GET', path: AGREEMENT, run: getLegacy },
  { method: 'DELETE', path: AGREEMENT, run: asUser(deleteLegacy) },
  { method: 'GET', path: `${AGREEMENT}/download`, run: downloadLegacy },
  { method: 'GET', path: `${AGREEMENT}/fields`, run: listFields },
  { method: 'POST', path: `${AGREEMENT}/reject`, run: rejectAgreement },
  { method: 'PUT', path: `${AGREEMENT}/revoke`, run: asUser(revokeAgreement) },
  { method: 'POST', path: `${AGREEMENT}/sign`, run: asSigner(signForCompany) },
  { method: 'POST', path: `${AGREEMENT}/share`, run: asUser(shareAgreement) },
  { method: 'POST', path: FILES, run: uploadFile },
  { method: 'GET', path: FILES, run: listFiles },
  { method: 'GET', path: `${FILES}/:token`, run: getFile },
  { method: 'DELETE', path: `${FILES}/:token`, run: deleteFile },
];

/** API v2: keys in headers, reference numbers, JSON or XML. */
export const v2Api: Api<Service> = {
  prefix: '/legacy/v2',
  routes,
  admit: admitKey,
  explain: explainLegacy,
  wrap: asXmlWhenAsked,
};

function asXmlWhenAsked(run: Handler<Service>): Handler<Service> {
  return async (exchange: Exchange, service: Service): Promise<Answer> => {
    if (!exchange.path.endsWith('.xml')) return run(exchange, service);
    const answer = await run(
      { ...exchange, path: exchange.path.slice(0, -'.xml'.length) },
      service,
    );
    if (answer.content.kind !== 'json') return answer;
    const root = answer.status < 400 ? 'response' : 'error';
    const bytes = Buffer.from(toXml(root, answer.content.value));
    return { ...answer, content: { kind: 'bytes', type: 'application/xml; charset=utf-8', bytes } };
  };
}
