import { headOf } from '../../../../shared/rules/text/head-of-text.ts';
import type { Answer } from './answer.ts';
import { requestFor, type RequestOptions, type Client } from './client.ts';
import type { ReadEndpoint, TextEndpoint } from './endpoint.ts';
import { answerFailureError, replyMismatchError } from './failures.ts';
import { readRefusal } from './json-answer.ts';

/** Maximum size (bytes): above that of any agreement without its files, yet still readable. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Number of characters that are read of an error; its message is at the beginning. */
const MAX_INSPECTED_LENGTH = 65_536;

/**
 * Returns the unparsed text of an answer; only the status and the type of the answer are checked.
 * @throws AppError; 'too-large' above 4 MiB
 */
export function readRaw(
  client: Client,
  entry: ReadEndpoint<unknown> | TextEndpoint,
  ask: RequestOptions,
): Promise<string> {
  const request = requestFor(client, entry, ask, null);
  const form = 'text' in entry ? entry.text : 'json';
  return client.transport.read(request, 'read', ask.signal, async (answer) => {
    const isInForm = new RegExp(`[/+]${form}\\b`).test(answer.type);
    if (answer.status !== entry.success) {
      throw form === 'xml' && isInForm
        ? await readXmlRefusal(client, entry.name, answer)
        : (await readRefusal(entry.name, answer, client)).failure;
    }
    if (isInForm) return answer.text({ most: MAX_BYTES });
    answer.discard();
    throw replyMismatchError(entry.name, `it is not ${form}`);
  });
}

/** Reads the XML form of API v2, "Error body"; only the message is read. */
async function readXmlRefusal({ redact }: Client, route: string, answer: Answer) {
  const text = headOf(
    await answer.text({ most: MAX_BYTES, strictness: 'lenient' }),
    MAX_INSPECTED_LENGTH,
  );
  const message = /<message>([^<]*)<\/message>/.exec(text)?.[1] ?? '';
  const body = { from: 'api', message: redact(message), fields: {} } as const;
  return answerFailureError(route, answer.status, body, null);
}
