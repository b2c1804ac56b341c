import type { Draft, Problem } from '../../../shared/contract/drafts.ts';
import type { Encoding, Stores } from '../ports.ts';

interface RefusalPorts {
  readonly stores: Pick<Stores, 'outbox'>;
  readonly encoding: Encoding;
}

/** Of a document the request holds the bytes, and the draft a file with them. */
const DOCUMENT = /^attachments\.(\d+)(?:\.(?:data|file))?$/;

/**
 * The fields that the service named when it refused this draft, as the draft's own paths with the
 * service's words. A field that says something else by now is not among them: what was wrong with
 * it was said of the older value.
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
    const document = DOCUMENT.exec(field)?.[1];
    if (document !== undefined) {
      const name = valueAt(sent, `attachments.${document}.name`);
      if (name !== nameOf(draft, Number(document))) return [];
      return [{ field: `attachments.${document}.file`, code: 'refused', message }];
    }
    return isSame(valueAt(sent, field), valueAt(body, field))
      ? [{ field, code: 'refused', message }]
      : [];
  });
}

/** As a document goes out: under its own name, else under that of its file. */
function nameOf({ content, files }: Draft, index: number): string | undefined {
  const attachment = content.body.attachments?.[index];
  return attachment?.name ?? files.find(({ id }) => id === attachment?.file)?.name;
}

/**
 * Where a draft has what a service calls by this path: some name the request itself in front, and
 * some leave out the list of parties. Null when it has no such place.
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

/** What is missing has a place as well: beside others that are there, or at the top by its name. */
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

/** An empty box is left out of the request; the name of an agreement may end in a mark there. */
function isSame(sent: unknown, now: unknown): boolean {
  const [before = '', after = ''] = [sent, now];
  if (typeof before === 'string' && typeof after === 'string') {
    return after === '' ? before === '' : before.startsWith(after);
  }
  return JSON.stringify(before) === JSON.stringify(after);
}
