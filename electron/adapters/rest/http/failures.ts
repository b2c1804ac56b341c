import { AppError, type Failure } from '../../../../shared/errors.ts';
import type { ErrorBody } from './error-body.ts';

/** Progress of an exchange, which decides the meaning of a broken connection. */
export type Stage = 'request' | 'body';

const UNKNOWN_HOST_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const UNREACHABLE_CODES = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
]);
const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const LOST_CONNECTION_CODES = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
]);
/** undici's code for two different lengths, or a length that differs from the body's. */
const LENGTH_MISMATCH_CODE = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
/** Parser messages for bytes that are not HTTP; there are no codes for them. */
const NOT_HTTP_MESSAGE =
  /Expected HTTP\/|Invalid HTTP version|Expected space after (?:version|method)/;
const TLS_CODE =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$|PATH_LENGTH_)/;

/** OpenSSL codes for a certificate chain without a known authority. */
const UNKNOWN_ISSUER_CODES = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);

export const isTlsFailure = (error: unknown): boolean => TLS_CODE.test(codeOf(error));

/** Whether another list of authorities may contain the certificate's issuer. */
export const isUntrustedIssuer = (error: unknown): boolean =>
  UNKNOWN_ISSUER_CODES.has(codeOf(error));

/** OpenSSL codes for bytes that are not TLS, such as a plain HTTP page. */
const NO_TLS_CODES = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);
/** Advice about guest networks, which show their own page until a user accepts their terms. */
export const SIGN_IN_ADVICE =
  'The network may require a sign-in. Open any page in a browser, sign in to the network there, and try again. Otherwise check the address';

/**
 * Returns the error for a rejected certificate, or for a server without TLS. The error names the
 * issuer and the next step.
 */
export function untrustedServerError(
  host: string,
  error: unknown,
  issuer: string | null,
): AppError {
  if (NO_TLS_CODES.has(codeOf(error))) {
    const message = `${host} does not offer a secure connection (TLS: ${codeOf(error)}), so nothing was sent. ${SIGN_IN_ADVICE}`;
    return new AppError('service', message, { reason: 'tls' });
  }
  const by = issuer === null ? '' : `, issued by “${issuer}”,`;
  const message = `The certificate of ${host}${by} was refused (${codeOf(error)}), so nothing was sent. ${adviceFor(error)}`;
  return new AppError('service', message, {
    reason: 'tls',
    ...(issuer === null ? {} : { issuer }),
  });
}

function adviceFor(error: unknown): string {
  if (isUntrustedIssuer(error)) {
    return 'If your office inspects its network traffic, trust its certificate authority: signing-desk network trust FILE, with the PEM file from your IT support. Otherwise do not send';
  }
  switch (codeOf(error)) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'Its dates are not valid now. Check the clock of this computer. If the clock is right, tell the service';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'It is for another address. Check the address';
    default:
      return 'Check the address, and any proxy or gateway on the way to it';
  }
}

/**
 * Converts a network error. Keeps only its code, because its message and fields may contain
 * addresses and headers.
 */
export function networkFailureError(route: string, error: unknown, stage: Stage): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  if (isTimeout(error) || TIMEOUT_CODES.has(code)) {
    return new AppError('offline', `${route}: the service did not answer in time`, {
      reason: 'timed-out',
    });
  }
  if (UNKNOWN_HOST_CODES.has(code)) return offlineError(route, code, 'host-unknown');
  if (code === 'ECONNREFUSED') return offlineError(route, code, 'connection-refused');
  if (UNREACHABLE_CODES.has(code))
    return new AppError('offline', `${route}: the service cannot be reached (${code})`);
  if (isTlsFailure(error)) {
    return new AppError('service', `${route}: a secure connection could not be made (${code})`, {
      reason: 'tls',
    });
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return answerTooLargeError(route);
  const name = error instanceof Error ? error.name : typeof error;
  const isGarbled = name === 'HTTPParserError' || code === LENGTH_MISMATCH_CODE;
  if (isGarbled && stage === 'request') {
    const isOther = error instanceof Error && NOT_HTTP_MESSAGE.test(error.message);
    return isOther ? notJsonError(route, 'it is not HTTP') : brokenAnswerError(route);
  }
  if (isGarbled || LOST_CONNECTION_CODES.has(code)) {
    return stage === 'request'
      ? offlineError(route, code, 'connection-lost')
      : cutAnswerError(route);
  }
  return new AppError('unexpected', `${route}: ${name} ${code}`);
}

/**
 * Statuses for which a short plain text counts as the API's own message. Gateways also send 400,
 * 403, 404 and 413 as plain text; only the API itself can find the content invalid.
 */
export const EXPLAINED_STATUSES: ReadonlySet<number> = new Set([422]);

/** Error for an answer that apparently does not come from the API: a page or a text. */
export class ForeignAnswerError extends AppError {
  readonly status: number;
  /** True for a short plain text, false for a page. */
  readonly isText: boolean;

  constructor(message: string, status: number, { from, message: said }: ErrorBody) {
    const words = said === '' ? {} : { said };
    super('service', `${message} (no JSON)`, { ...words, reason: 'not-json' });
    this.status = status;
    this.isText = from === 'text';
  }
}

export function answerFailureError(
  route: string,
  status: number,
  body: ErrorBody,
  retryAt: number | null,
): AppError {
  const said = `${route}: HTTP ${String(status)}${body.message === '' ? '' : `: ${body.message}`}`;
  const words = body.message === '' ? {} : { said: body.message };
  const later = retryAt === null ? words : { ...words, retryAt };
  const fields = Object.keys(body.fields).length === 0 ? words : { ...words, fields: body.fields };
  if (status === 401) {
    return new AppError('signed-out', said, { ...words, reason: 'credential-refused' });
  }
  if (status === 429) return new AppError('limited', said, later);
  if (status === 408 || status === 425 || status >= 500)
    return new AppError('service', said, later);
  if (status >= 300 && status < 400) {
    return new AppError('service', `${route}: HTTP ${String(status)}`, { reason: 'redirected' });
  }
  if (status < 300) return replyMismatchError(route, `HTTP ${String(status)}`);
  if (body.from === 'other' || (body.from === 'text' && !EXPLAINED_STATUSES.has(status))) {
    return new ForeignAnswerError(said, status, body);
  }
  switch (status) {
    case 403:
      return new AppError('forbidden', said, fields);
    case 404:
    case 410:
      return new AppError('not-found', said, words);
    case 409:
    case 412:
      return new AppError('conflict', said, words);
    case 413:
      return new AppError('invalid', said, { ...words, reason: 'too-large' });
    default:
      return new AppError('invalid', said, fields);
  }
}

export function replyMismatchError(route: string, what: string): AppError {
  return new AppError('service', `${route}: unexpected answer: ${what}`, {
    reason: 'answer-mismatch',
  });
}

export function notJsonError(route: string, what: string): AppError {
  return new AppError('service', `${route}: the answer is not JSON: ${what}`, {
    reason: 'not-json',
  });
}

function brokenAnswerError(route: string): AppError {
  const what = 'the answer contradicts the rules of HTTP, such as by two different lengths';
  return new AppError('service', `${route}: ${what}`, { reason: 'answer-broken' });
}

export function cutAnswerError(route: string): AppError {
  return new AppError('service', `${route}: the answer is incomplete`, { reason: 'cut-answer' });
}

export function answerTooLargeError(route: string): AppError {
  return new AppError('service', `${route}: the answer is too large`, { reason: 'too-large' });
}

export function cancelledRequestError(route: string): AppError {
  return new AppError('cancelled', `${route}: the request was cancelled`);
}

/** Whether the same read request may succeed shortly. */
export function isTransientFailure({ code, reason }: Failure): boolean {
  if (code === 'limited' || reason === 'connection-lost' || reason === 'cut-answer') return true;
  return code === 'service' && reason === undefined;
}

function offlineError(
  route: string,
  code: string,
  reason: 'host-unknown' | 'connection-refused' | 'connection-lost',
): AppError {
  return new AppError('offline', `${route}: ${reason.replace('-', ' ')} (${code})`, { reason });
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
