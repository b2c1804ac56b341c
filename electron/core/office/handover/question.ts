import { AppError, type Failure } from '../../../../shared/errors.ts';
import { OutboxRef } from '../../../../shared/model/ids.ts';
import { HandoverUnknownSend } from '../../../../shared/rules/office/items.ts';
import { containsPersonNumber } from '../../../../shared/rules/people/personal-numbers.ts';
import type { OutboxTransitions } from '../../outbox/transitions.ts';
import type { Clock, Encoding, Stores } from '../../ports.ts';
import type { Services } from '../../services/services.ts';
import { adopt, DELAYS_FOR_UNRESOLVED_OUTCOME } from '../adopt.ts';
import type { HandoverAdapter } from './mover.ts';

export interface QuestionHandoverPorts {
  readonly stores: Pick<Stores, 'outbox' | 'actions' | 'connections' | 'transaction'>;
  readonly services: Pick<Services, 'open'>;
  readonly transitions: Pick<OutboxTransitions, 'apply'>;
  readonly encoding: Encoding;
  readonly clock: Clock;
}

const handedOverFailure = (seat: string): Failure => ({
  code: 'conflict',
  message: `${seat} took over this send and decides about it now`,
  reason: 'handed-over',
});

/**
 * Creates the adapter that hands over a send of unknown outcome. The user who accepts the handover
 * settles the claim of the send. Until then, the send stays in the outbox of this computer;
 * afterwards, its status on this computer is abandoned, but this computer still looks for it.
 */
export function createQuestionHandoverAdapter(ports: QuestionHandoverPorts): HandoverAdapter {
  const { stores, transitions, encoding } = ports;
  return {
    async hasPersonNumbers(name) {
      const { title, mark } = stores.outbox.get(OutboxRef.parse(name));
      return containsPersonNumber([title, mark]);
    },
    async pack(name, { joined }) {
      const ref = OutboxRef.parse(name);
      const { title, state } = stores.outbox.get(ref);
      if (!['unknown', 'absent', 'human'].includes(state)) {
        throw new AppError(
          'conflict',
          `The send needs no decision, because its status is ${state}`,
        );
      }
      const claim = (await joined.claims.open()).find(({ id }) => id === ref);
      if (claim?.desk !== joined.desk) {
        throw new AppError(
          'conflict',
          'The office has no record of this send, so another computer cannot resolve it',
        );
      }
      // If the unknown outcome could not be reported to the office when it occurred, it is reported
      // now, so that the user who accepts the handover need not wait for this computer.
      await joined.claims.settle([{ id: ref, state: 'unknown' }]);
      const data = encoding.utf8(JSON.stringify(HandoverUnknownSend.parse({ ref })));
      // The revision is always the same, so the send can be handed over to only one user at a time,
      // regardless of what scans find in the meantime.
      return { id: ref, title, revision: 1, data };
    },
    given: () => undefined,
    async unpack(data, office) {
      // If the office is unreachable, nothing needs to be accepted, because the send is still on
      // this computer.
      if (office === null) return null;
      const { joined } = office;
      const { ref } = HandoverUnknownSend.parse(JSON.parse(encoding.text(data)));
      const what = { kind: 'question' as const, id: ref };
      const claim = (await joined.claims.open()).find(({ id }) => id === ref);
      if (claim === undefined) return null;
      // If this computer takes the handover back or accepts it again, nothing changes on this
      // computer.
      await adopt(ports, joined, claim, DELAYS_FOR_UNRESOLVED_OUTCOME);
      return { what, undo: () => undefined };
    },
    taken(name, seat) {
      const context = { cause: 'office', actor: 'office', reason: handedOverFailure(seat) };
      transitions.apply(OutboxRef.parse(name), { kind: 'abandon' }, context);
    },
  };
}
