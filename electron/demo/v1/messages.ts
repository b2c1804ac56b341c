import { STATUS_CODES } from 'node:http';
import type { ErrorShape } from '../server/behaviour.ts';
import { bytes, json, text, type Answer, type Exchange } from '../server/http.ts';
import type { Problem, Refusal } from '../server/refusal.ts';
import type { Service } from '../state/service.ts';

/**
 * Returns an error response of v1 in the configured format; the API documentation shows no format.
 */
export function explainRefusal(refusal: Refusal, exchange: Exchange, service: Service): Answer {
  const { status, headers } = refusal;
  const answer = explainersByShape[service.behaviour.errors](refusal, exchange, service);
  return { ...answer, status, headers };
}

type RefusalExplainer = (refusal: Refusal, exchange: Exchange, service: Service) => Answer;

const explainersByShape: Readonly<Record<ErrorShape, RefusalExplainer>> = {
  'json-api': (refusal) => json({ errors: describeRefusal(refusal) }),

  nested: ({ status, message, problems }) =>
    json({
      error: {
        code: codeOf(status),
        message,
        details: problems.map(({ path, detail }) => ({ field: path.join('.'), message: detail })),
      },
    }),

  rfc9457: ({ status, message, problems }) => {
    const errors = problems.map((one) => ({ detail: one.detail, pointer: `#${pointer(one)}` }));
    const problem = { type: 'about:blank', title: STATUS_CODES[status], status, detail: message };
    const body = errors.length === 0 ? problem : { ...problem, errors };
    return bytes('application/problem+json', Buffer.from(JSON.stringify(body)));
  },

  spring: ({ status }, { path }, { now }) => {
    const timestamp = new Date(now()).toISOString();
    return json({ timestamp, status, error: STATUS_CODES[status], path });
  },

  plain: ({ message }) => text(message),

  html: ({ status, message }) => {
    const title = `${String(status)} ${STATUS_CODES[status] ?? ''}`;
    const page = `<!doctype html><title>${title}</title><h1>${title}</h1><p>${message}</p>`;
    return bytes('text/html; charset=utf-8', Buffer.from(page));
  },

  empty: () => ({ status: 0, headers: {}, content: { kind: 'none' } }),
};

function describeRefusal({ status, message, problems }: Refusal) {
  if (problems.length === 0) {
    return [{ status: String(status), code: codeOf(status), title: message, detail: message }];
  }
  return problems.map((problem) => ({
    status: String(status),
    code: problem.kind.toUpperCase().replace('-', '_'),
    title: message,
    detail: problem.detail,
    source: { pointer: pointer(problem) },
  }));
}

function codeOf(status: number): string {
  return `HTTP_${String(status)}`;
}

/** Returns a JSON pointer (RFC 6901) to the value in the request body. */
function pointer({ path }: Problem): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
