import type { Rejection, Sharing } from '../../../shared/contract/actions.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import { requireAddress } from './checks.ts';
import { readFreshAgreement } from '../services/fresh-copy.ts';
import type { ActionRequest } from './runner.ts';
import {
  aboutAgreement,
  requireV2Actions,
  requireAction,
  requireCount,
  requireState,
} from '../services/capabilities.ts';
import type { EndPorts } from './revoke-remove.ts';
import type { EvidenceAnchors } from '../evidence/anchors.ts';
import { partyOf, type PreparedRejection, rejectionIntent } from './rejection.ts';
import type { Sha256, Stores } from '../ports.ts';

type ActionsOfV2 = Pick<
  HandlersOf<'actions'>,
  'actions.reject' | 'actions.share' | 'actions.fieldValues'
>;

export interface V2Ports extends EndPorts {
  readonly stores: EndPorts['stores'] & Pick<Stores, 'identities'>;
  readonly sha256: Sha256;
  readonly anchors: Pick<EvidenceAnchors, 'keep'>;
}

/** Creates the handlers for actions that exist only in API v2. */
export function createActionsV2(ports: V2Ports): ActionsOfV2 {
  const { stores, services, actionRunner, clock } = ports;
  return {
    'actions.reject': async ({ key, rejection, confirm }) => {
      requireAction(stores, key.connectionId, 'reject');
      requireCount([key], confirm);
      const outcome = await rejectAndKeep(ports, rejectionActionRequest(ports, key, rejection));
      const { actionId } = outcome;
      if (outcome.kind === 'unknown')
        return { outcome: 'unknown', actionId, failure: outcome.failure };
      return { outcome: 'done', actionId, wasAlready: outcome.wasAlready };
    },
    'actions.share': async ({ key, sharing: asked, confirm }) => {
      requireAction(stores, key.connectionId, 'share');
      requireCount([key], confirm);
      const sharing = { ...asked, email: requireAddress(asked.email) };
      assertFutureShareEnd(sharing, clock.now());
      const outcome = await actionRunner.run({
        what: {
          kind: 'share',
          ...aboutAgreement(stores, key),
          goal: { to: [sharing.email.toLowerCase()] },
        },
        names: [sharing.email],
        prepare: async () => ({}),
        send: (actions, _from, signal) => requireV2Actions(actions).share(key.id, sharing, signal),
      });
      const { actionId } = outcome;
      if (outcome.kind === 'unknown')
        return { outcome: 'unknown', actionId, failure: outcome.failure };
      // A share cannot be proved by a read, so a completed share always has its answer.
      if (outcome.reply === null) throw new Error('A share was settled without its answer');
      return { outcome: 'done', actionId, shared: outcome.reply };
    },
    'actions.fieldValues': async ({ key }) => {
      requireAction(stores, key.connectionId, 'fieldValues');
      const { signal } = new AbortController();
      const values = await services.act(key.connectionId, (actions) =>
        requireV2Actions(actions).fieldValues(key.id, signal),
      );
      const templateId = values?.templateId ?? null;
      // API v2 reports an agreement's template only in this answer; once it is stored, the
      // agreement can be found by it.
      if (templateId !== null) {
        stores.agreements.setTemplate(key.connectionId, templateId, [key.id]);
      }
      return values;
    },
  };
}

/**
 * Rejects, and records the end of the evidence log before returning, whether the
 * rejection succeeded or failed.
 */
async function rejectAndKeep(
  { actionRunner, anchors }: V2Ports,
  order: ReturnType<typeof rejectionActionRequest>,
) {
  try {
    return await actionRunner.run(order);
  } finally {
    await anchors.keep();
  }
}

/**
 * Returns the action that rejects. It reads the agreement just before, because API v2 has no ETags.
 * It is recorded as evidence, because a person is accountable for it.
 */
function rejectionActionRequest(
  ports: V2Ports,
  key: AgreementKey,
  rejection: Rejection,
): ActionRequest<PreparedRejection, null, never> {
  const { stores } = ports;
  const subject = aboutAgreement(stores, key);
  return {
    what: { kind: 'reject', ...subject },
    prepare: async (actions, signal) => {
      const remote = await readFreshAgreement(ports, key, signal);
      if (remote === null) {
        throw new AppError('not-found', 'The service does not have this agreement');
      }
      if (remote.state === 'rejected') return null;
      requireState(stores, key.connectionId, 'reject', remote);
      const v2 = requireV2Actions(actions);
      const { parties } = remote;
      const party = await partyOf(v2, rejection, { id: key.id, parties }, signal);
      return { body: v2.encodeReject(rejection), remote, party };
    },
    intent: (ready) => rejectionIntent(ports, { key, title: subject.title }, rejection, ready),
    send: (actions, { body }, signal) => requireV2Actions(actions).reject(key.id, body, signal),
  };
}

/**
 * Throws 'invalid' if the last day of a share is in the past, by the date in Sweden (API v2, "Share
 * Agreement").
 */
function assertFutureShareEnd({ until }: Sharing, now: number): void {
  if (until === null || until >= dayOf(now)) return;
  const sentence = 'The last day must be today or later, by the date in Sweden';
  throw new AppError('invalid', sentence, { fields: { 'sharing.until': sentence } });
}
