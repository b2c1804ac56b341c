import type { ActionsResult } from '../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { requireAction, requireCount, titleOf } from '../services/capabilities.ts';
import { processTargets, type TargetResult, removeOne, revokeOne } from './revoke-remove.ts';
import { type RemindPorts, remindOne } from './remind.ts';
import { createActionsV1, setExpiry } from './v1.ts';
import { createActionsV2, type V2Ports } from './v2.ts';
import {
  archiveBeforeRemoval,
  type ArchiveFirstPorts,
  assertArchivedCopyIntact,
} from '../archive/first.ts';
import type { JobQueue } from '../job-queue.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import { openDocument } from '../agreements/open-document.ts';
import { saveDocuments } from '../agreements/save-documents.ts';
import type { ByteExchange } from '../host-ports.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import { EXCESS_COMBINING_MARKS } from '../../../shared/rules/text/long-marks.ts';

/** Age (ms) up to which actions are listed, since users may still want to review them. */
const LISTED_ACTION_AGE_MS = 30 * DAY;

type ActionPorts = RemindPorts &
  V2Ports &
  ArchiveFirstPorts & {
    readonly jobs: JobQueue;
    readonly worker: OutboxWorker;
    readonly bytes: ByteExchange;
  };
type ActionJobKind = 'revoke-agreements' | 'remove-agreements' | 'remind-parties' | 'set-expiry';

export function createActionHandlers(ports: ActionPorts): HandlersOf<'actions'> {
  const { stores, services, clock } = ports;
  const { signal } = new AbortController();
  return {
    ...createActionsV1(ports),
    ...createActionsV2(ports),
    'actions.extras': async ({ key }) =>
      services.act(key.connectionId, (actions) => actions.extras(key.id, signal)),
    'actions.list': async ({ connectionId, agreementId }) => [
      ...stores.actions.list(
        {
          ...(connectionId === undefined ? {} : { connectionId }),
          ...(agreementId === undefined ? {} : { agreementId }),
        },
        clock.now() - LISTED_ACTION_AGE_MS,
      ),
    ],
    'actions.look': async ({ actionId }) => {
      await ports.actionRunner.reconcile(stores.actions.get(actionId));
      return stores.actions.get(actionId);
    },
    'actions.revoke': async ({ keys, confirm }) => {
      requireCount(keys, confirm);
      return startActionJob(ports, 'revoke-agreements', keys, (key) => revokeOne(ports, key));
    },
    'actions.setExpiry': async ({ keys, expiresAt, confirm }) => {
      requireCount(keys, confirm);
      return startActionJob(ports, 'set-expiry', keys, (key) => setExpiry(ports, key, expiresAt));
    },
    'actions.remove': async (input) => removeAgreements(ports, input),
    'actions.remind': async ({ targets, confirm }) => {
      const agreements = new Map(
        targets.map(({ connectionId, id }) => [`${connectionId} ${id}`, { connectionId, id }]),
      );
      requireCount([...agreements.values()], confirm);
      return startActionJob(ports, 'remind-parties', targets, (target) => remindOne(ports, target));
    },
    'actions.raw': async ({ key, form }) => {
      requireAction(stores, key.connectionId, form === 'xml' ? 'rawXml' : 'raw');
      const text = await services.act(key.connectionId, (actions) =>
        actions.raw(key.id, form, signal),
      );
      return { text };
    },
    'actions.openDocument': async (wanted) => openDocument(ports, wanted),
    'actions.saveDocuments': async (wanted) => saveDocuments(ports, wanted),
  };
}

function removeAgreements(
  ports: ActionPorts,
  { keys, confirm, typedTitle, archiveTo }: Parameters<HandlersOf<'actions'>['actions.remove']>[0],
) {
  requireCount(keys, confirm);
  const [first] = keys;
  if (typedTitle !== undefined && first !== undefined) assertTypedTitle(ports, first, typedTitle);
  return startActionJob(ports, 'remove-agreements', keys, async (key, signal) => {
    if (archiveTo !== undefined) await archiveBeforeRemoval(ports, key, archiveTo, signal);
    return removeOne(ports, key, () => assertArchivedCopyIntact(ports, key));
  });
}

function assertTypedTitle({ stores }: ActionPorts, key: AgreementKey, typed: string): void {
  const plain = (text: string) => text.replaceAll(EXCESS_COMBINING_MARKS, '').normalize().trim();
  if (plain(typed) === plain(titleOf(stores, key))) return;
  const message =
    'The title you typed does not match the agreement’s title, so nothing was deleted';
  throw new AppError('invalid', message, { reason: 'title-differs' });
}

/**
 * Starts one job for all targets. It holds the lock throughout, so that no other process sends
 * between its requests.
 */
function startActionJob<Target extends AgreementKey>(
  ports: ActionPorts,
  kind: ActionJobKind,
  targets: readonly Target[],
  act: (target: Target, signal: AbortSignal) => Promise<TargetResult>,
) {
  const jobId = ports.jobs.start(kind, async (signal, report) => {
    const result: ActionsResult = await ports.worker.holding(() =>
      processTargets(ports, targets, (target) => act(target, signal), signal, report),
    );
    return { result, failure: null };
  });
  return { jobId };
}
