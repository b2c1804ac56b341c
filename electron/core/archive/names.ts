import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  NAME_TOKENS,
  type NameTokens,
  unknownToken,
} from '../../../shared/rules/files/file-name.ts';
import { orNull } from '../app-error.ts';
import { KEY_TAG } from '../outbox/marks.ts';
import type { Stores } from '../ports.ts';

/** Throws 'invalid' with the field and the token if a pattern contains an unknown token. */
export function requireTokens(patterns: {
  readonly pattern?: string | undefined;
  readonly subfolder?: string | undefined;
}): void {
  for (const field of ['pattern', 'subfolder'] as const) {
    const token = unknownToken(patterns[field] ?? '');
    if (token === null) continue;
    const message = `${token} has no meaning in a file name. Use ${NAME_TOKENS.join(', ')}`;
    throw new AppError('invalid', message, { reason: 'name-token', fields: { [field]: message } });
  }
}

/** Tokens whose values a list row does not contain. */
const NEEDS_DETAILS = /\{(?:tag:|batch|row|key)/;

/**
 * Returns the values for the tokens in `patterns`; reads the details of the agreement only if a
 * token needs them.
 */
export function tokensOf(
  stores: Pick<Stores, 'agreements' | 'outbox' | 'batches'>,
  connections: ReadonlyMap<string, Pick<Connection, 'name'>>,
  agreement: Agreement,
  patterns: string,
): NameTokens {
  const { id, title, parties, closedAt, connectionId } = agreement;
  const connection = connections.get(connectionId)?.name ?? '';
  const plain = { id, title, parties: parties ?? [], connection, closedAt };
  if (!NEEDS_DETAILS.test(patterns)) return plain;
  // The local copy of an archived agreement may be deleted.
  const tags = orNull(() => stores.agreements.details(agreement))?.tags ?? {};
  const sent = stores.outbox.boundTo(connectionId, id);
  if (sent === null || sent.batchId === null || sent.rowNo === null) return { ...plain, tags };
  const key = tags[KEY_TAG] ?? '';
  const { batchId, rowNo: row } = sent;
  return {
    ...plain,
    tags,
    // The name is empty if the batch was deleted.
    batch: { name: orNull(() => stores.batches.get(batchId).name) ?? '', row, key },
  };
}
