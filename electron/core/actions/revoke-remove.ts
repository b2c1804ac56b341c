import type { ActionsResult } from '../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { type FreshCopyPorts, readFreshAgreement } from '../services/fresh-copy.ts';
import type { ActionOutcome, ActionRunner } from './runner.ts';
import { aboutAgreement, requireAction, requireState, titleOf } from '../services/capabilities.ts';
import type { Progress } from '../job-queue.ts';
import type { Stores } from '../ports.ts';

export interface EndPorts extends FreshCopyPorts {
  readonly stores: FreshCopyPorts['stores'] & Pick<Stores, 'ownUsers'>;
  readonly actionRunner: ActionRunner;
  readonly toFailure: ToFailure;
}

export type TargetResult =
  | {
      readonly as: 'done';
      readonly wasAlready: boolean;
      readonly told: string | null;
      readonly reminded: number;
    }
  | { readonly as: 'unknown'; readonly failure: ActionsResult['unknown'][number]['failure'] };

/** Processes the targets one by one; reports each failure and continues. */
export async function processTargets<Target extends AgreementKey>(
  ports: EndPorts,
  targets: readonly Target[],
  act: (target: Target) => Promise<TargetResult>,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<ActionsResult> {
  const result: ActionsResult = { done: [], failed: [], unknown: [] };
  report({ done: 0, total: targets.length });
  for (const [index, target] of targets.entries()) {
    if (signal.aborted) break;
    const { connectionId, id } = target;
    const subject = { connectionId, id, title: titleOf(ports.stores, target) };
    try {
      const { as, ...ended } = await act(target);
      if ('failure' in ended) result.unknown.push({ ...subject, ...ended });
      else if (as === 'done') result.done.push({ ...subject, ...ended });
    } catch (error) {
      result.failed.push({ ...subject, failure: ports.toFailure(error, 'actions') });
    }
    report({ done: index + 1, failed: result.failed.length });
  }
  return result;
}

/** Revokes one agreement. Reads it just before, because API v2 has no ETags. */
export async function revokeOne(ports: EndPorts, key: AgreementKey): Promise<TargetResult> {
  const { stores, actionRunner } = ports;
  requireAction(stores, key.connectionId, 'revoke');
  const outcome = await actionRunner.run({
    what: { kind: 'revoke', ...aboutAgreement(stores, key) },
    prepare: async (_actions, signal) => {
      const remote = await readFreshAgreement(ports, key, signal);
      if (remote === null) {
        throw new AppError('not-found', 'The service does not have this agreement');
      }
      if (remote.state === 'revoked') return null;
      requireState(stores, key.connectionId, 'revoke', remote);
      return {};
    },
    send: (actions, _from, signal) => actions.revoke(key.id, signal),
    revokedAt: ({ revokedAt }) => revokedAt,
  });
  return ended(outcome, null);
}

/**
 * Deletes one agreement permanently, after reading it; an agreement that is already gone counts as
 * done. `check` throws if the agreement must stay; it runs directly before the request.
 */
export async function removeOne(
  ports: EndPorts,
  key: AgreementKey,
  check: () => Promise<void>,
): Promise<TargetResult> {
  const { stores, actionRunner } = ports;
  requireAction(stores, key.connectionId, 'remove');
  const outcome = await actionRunner.run({
    what: { kind: 'remove', ...aboutAgreement(stores, key) },
    prepare: async (_actions, signal) => {
      const remote = await readFreshAgreement(ports, key, signal);
      if (remote === null) return null;
      requireState(stores, key.connectionId, 'remove', remote);
      await check();
      return {};
    },
    send: (actions, _from, signal) => actions.remove(key.id, signal),
  });
  return ended(outcome, outcome.kind === 'done' ? outcome.reply : null);
}

function ended(outcome: ActionOutcome<unknown>, told: string | null): TargetResult {
  if (outcome.kind === 'unknown') return { as: 'unknown', failure: outcome.failure };
  return { as: 'done', wasAlready: outcome.wasAlready, told, reminded: 0 };
}
