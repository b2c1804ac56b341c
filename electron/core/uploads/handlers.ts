import type { ConnectionId } from '../../../shared/model/ids.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { AppError } from '../../../shared/errors.ts';
import { TOTAL_BELOW, MAX_TOTAL_TEXT } from '../../../shared/rules/drafts/v2/content.ts';
import { requireV2Actions, requireAction } from '../services/capabilities.ts';
import type { EndPorts } from '../actions/revoke-remove.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Stores } from '../ports.ts';

/** States of outbox rows whose files may still be used; a rejected row uses no file. */
const UNFINISHED_STATES: readonly OutboxState[] = ['queued', 'sending', 'unknown'];

interface UploadPorts extends EndPorts {
  readonly stores: Stores;
  readonly bytes: ByteExchange;
}

/**
 * Creates the calls for files that are stored at a service until a create request uses them (API
 * v2).
 */
export function createUploadHandlers(ports: UploadPorts): HandlersOf<'uploads'> {
  const { stores, services, actionRunner, bytes } = ports;
  const { signal } = new AbortController();
  const require = (connectionId: ConnectionId) => requireAction(stores, connectionId, 'uploads');
  return {
    'uploads.list': async ({ connectionId }) => {
      require(connectionId);
      const { files, total } = await services.act(connectionId, (actions) =>
        requireV2Actions(actions).uploads.list(signal),
      );
      const named = createNamedTokenTest(stores);
      return { files: files.map((one) => ({ ...one, isOrphan: !named(one.token) })), total };
    },
    'uploads.add': async ({ connectionId, name, bytes: id }) => {
      require(connectionId);
      const data = bytes.take(id);
      assertUploadSize(name, data.length);
      const outcome = await actionRunner.run({
        what: { kind: 'upload-add', connectionId, title: name },
        prepare: async () => ({}),
        send: (actions, _from, ends) => requireV2Actions(actions).uploads.add(name, data, ends),
      });
      const { actionId } = outcome;
      if (outcome.kind === 'unknown')
        return { outcome: 'unknown', actionId, failure: outcome.failure };
      // An upload cannot be confirmed by a later read, so a completed upload always has its answer.
      if (outcome.reply === null) throw new Error('An upload was settled without its answer');
      return { outcome: 'done', actionId, file: outcome.reply };
    },
    'uploads.show': async ({ connectionId, token }) => {
      require(connectionId);
      return services.act(connectionId, (actions) =>
        requireV2Actions(actions).uploads.show(token, signal),
      );
    },
    'uploads.remove': async ({ connectionId, token }) => {
      require(connectionId);
      const outcome = await actionRunner.run({
        what: { kind: 'upload-remove', connectionId, token },
        prepare: async () => ({}),
        send: (actions, _from, ends) => requireV2Actions(actions).uploads.remove(token, ends),
      });
      const { actionId } = outcome;
      if (outcome.kind === 'unknown')
        return { outcome: 'unknown', actionId, failure: outcome.failure };
      return {
        outcome: 'done',
        actionId,
        wasAlready: outcome.wasAlready || outcome.reply === null,
      };
    },
  };
}

/**
 * Throws if a file is too large: all files of an agreement together must be smaller than the limit
 * (API v2, "Attachments").
 */
function assertUploadSize(name: string, size: number): void {
  if (size === 0) throw new AppError('invalid', `${name} is empty`, { reason: 'file-empty' });
  if (size < TOTAL_BELOW) return;
  const message = `${name} is too large. The files of an agreement must be smaller than ${MAX_TOTAL_TEXT} together`;
  throw new AppError('invalid', message, { reason: 'too-large' });
}

function createNamedTokenTest(
  stores: Pick<Stores, 'drafts' | 'outbox'>,
): (token: string) => boolean {
  const { drafts, outbox } = stores;
  const texts = drafts.list().map(({ content }) => JSON.stringify(content));
  const goingOut = new Set(
    UNFINISHED_STATES.flatMap((state) =>
      outbox.inState(state).flatMap(({ ref }) => outbox.uploads(ref).map(({ token }) => token)),
    ),
  );
  return (token) =>
    goingOut.has(token) || texts.some((text) => text.includes(JSON.stringify(token)));
}
