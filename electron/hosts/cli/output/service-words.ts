import type { OutboxItem } from '../../../../shared/contract/outbox.ts';
import type { Failure } from '../../../../shared/errors.ts';

/**
 * Pattern of a service's answer as it is logged: `v1.agreements.update: HTTP 422: expireOn must …`.
 */
const SERVICE_ANSWER_PATTERN = /^v[12]\.[\w.-]{1,80}: HTTP (\d{3})(?:: |$)/;

const failureSentences: Readonly<Partial<Record<Failure['code'], string>>> = {
  invalid: 'The service refused this',
  forbidden: 'The service does not allow this action',
  'not-found': 'The service could not find the requested item',
  conflict: 'The service refused this action in the present state',
  'signed-out': 'The service refused the API key',
  limited: 'The service received too many requests',
  service: 'The service failed',
};

/**
 * Returns a failure as a sentence for people: the service's own text, without this program's
 * internal names.
 */
export function sentenceOf({ code, message }: Pick<Failure, 'code' | 'message'>): string {
  const found = SERVICE_ANSWER_PATTERN.exec(message);
  const words = failureSentences[code];
  if (found === null || words === undefined) return message;
  const [whole, status = ''] = found;
  const rest = message.slice(whole.length);
  return rest === '' ? `${words} (HTTP ${status})` : `${words} (HTTP ${status}): ${rest}`;
}

/** Returns the reason for a row's state; for a refused row, the service's own text. */
export function whyText(state: OutboxItem['state'], failure: Failure): string {
  const { message, said, fields = {} } = failure;
  if (said === undefined) return sentenceOf(failure);
  const named = Object.entries(fields).map(([field, what]) => `${field}: ${what}`);
  const why = [`'${said}'`, ...named].join('; ');
  if (state === 'rejected') return `The service refused this: ${why}`;
  return message.includes(said) ? sentenceOf(failure) : `${message}. The service answered: ${why}`;
}
