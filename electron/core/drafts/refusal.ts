import type { Draft, Problem } from '../../../shared/contract/drafts.ts';
import type { Encoding, Stores } from '../ports.ts';

interface RefusalPorts {
  readonly stores: Pick<Stores, 'outbox'>;
  readonly encoding: Encoding;
}

/** Path of a document's bytes in the request, or of its file in the draft. */
const ATTACHMENT_PATH = /^attachments\.(\d+)(?:\.(?:data|file))?$/;

/**
 * Returns the fields that the service named when it refused this draft, as paths of the draft with
 * the service's messages. Excludes fields that the user has changed after that, because the message
 * was about the old value.
 */
export function refusedFields({ stores, encoding }: RefusalPorts, draft: Draft): Problem[] {
  const last = stores.outbox.lastOf([draft.id]);
  if (last === null) return [];
  const attempts = stores.outbox.attempts(last.ref);
  const fields = attempts.findLast(({ failure }) => failure !== null)?.failure?.fields ?? {};
  const named = Object.entries(fields);
  if (named.length === 0) return [];
  const { body } = draft.content;
  const sent: unknown = JSON.parse(encoding.text(stores.outbox.request(last.ref).body));
  return named.flatMap(([said, message]): Problem[] => {
    const field = pathIn(body, said);
    if (field === null) return [];
    const document = ATTACHMENT_PATH.exec(field)?.[1];
    if (document !== undefined) {
      const name = valueAt(sent, `attachments.${document}.name`);
      if (name !== attachmentNameAt(draft, Number(document))) return [];
      return [{ field: `attachments.${document}.file`, code: 'refused', message }];
    }
    return isSame(valueAt(sent, field), valueAt(body, field))
      ? [{ field, code: 'refused', message }]
      : [];
  });
}

/** Returns the name of a document in the request: its own name, otherwise its file's name. */
function attachmentNameAt({ content, files }: Draft, index: number): string | undefined {
  const attachment = content.body.attachments?.[index];
  return attachment?.name ?? files.find(({ id }) => id === attachment?.file)?.name;
}

/**
 * Returns the path in the draft for a field path of a service: some services prefix the request's
 * name, and some omit the list of parties. Null if the draft has no such path.
 */
function pathIn(body: unknown, path: string): string | null {
  const names = path.split('.');
  for (let from = 0; from < names.length; from += 1) {
    const rest = names.slice(from).join('.');
    const found = [rest, `parties.${rest}`].find((one) => hasPlace(body, one));
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Whether the body has the path, or can have it: a missing value counts if its parent exists, or if
 * it is at the top level.
 */
function hasPlace(body: unknown, path: string): boolean {
  if (valueAt(body, path) !== undefined) return true;
  const around = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  return around !== '' && around !== 'parties' && typeof valueAt(body, around) === 'object';
}

function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    return new Map<string, unknown>(Object.entries(value)).get(name);
  }, body);
}

/**
 * Whether a value is the same as when it was sent. An empty box is omitted from the request, and
 * the name of an agreement may have a suffix in the request.
 */
function isSame(sent: unknown, now: unknown): boolean {
  const [before = '', after = ''] = [sent, now];
  if (typeof before === 'string' && typeof after === 'string') {
    return after === '' ? before === '' : before.startsWith(after);
  }
  return JSON.stringify(before) === JSON.stringify(after);
}
