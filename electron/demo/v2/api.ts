import type { Answer, Exchange } from '../server/http.ts';
import type { Api, Handler, Route } from '../server/router.ts';
import type { Service } from '../state/service.ts';
import { requireKey, withSignerCheck, withUserCheck } from './access.ts';
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

const LEGACY_AGREEMENT_PATH = '/agreements/:referenceNumber';
const UPLOADED_FILES_PATH = '/files/attachment/agreement';

const routes: readonly Route<Service>[] = [
  { method: 'POST', path: '/agreements', run: withUserCheck(createLegacy) },
  { method: 'GET', path: '/agreements', run: listLegacy },
  { method: 'GET', path: LEGACY_AGREEMENT_PATH, run: getLegacy },
  { method: 'DELETE', path: LEGACY_AGREEMENT_PATH, run: withUserCheck(deleteLegacy) },
  { method: 'GET', path: `${LEGACY_AGREEMENT_PATH}/download`, run: downloadLegacy },
  { method: 'GET', path: `${LEGACY_AGREEMENT_PATH}/fields`, run: listFields },
  { method: 'POST', path: `${LEGACY_AGREEMENT_PATH}/reject`, run: rejectAgreement },
  { method: 'PUT', path: `${LEGACY_AGREEMENT_PATH}/revoke`, run: withUserCheck(revokeAgreement) },
  { method: 'POST', path: `${LEGACY_AGREEMENT_PATH}/sign`, run: withSignerCheck(signForCompany) },
  { method: 'POST', path: `${LEGACY_AGREEMENT_PATH}/share`, run: withUserCheck(shareAgreement) },
  { method: 'POST', path: UPLOADED_FILES_PATH, run: uploadFile },
  { method: 'GET', path: UPLOADED_FILES_PATH, run: listFiles },
  { method: 'GET', path: `${UPLOADED_FILES_PATH}/:token`, run: getFile },
  { method: 'DELETE', path: `${UPLOADED_FILES_PATH}/:token`, run: deleteFile },
];

/** API v2: keys in headers, reference numbers, JSON or XML. */
export const v2Api: Api<Service> = {
  prefix: '/legacy/v2',
  routes,
  admit: requireKey,
  explain: explainLegacy,
  wrap: withXmlVariant,
};

function withXmlVariant(run: Handler<Service>): Handler<Service> {
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
