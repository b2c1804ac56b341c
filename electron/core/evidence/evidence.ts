import type { ToFailure } from '../../../shared/wire.ts';
import { EvidenceAnchors } from './anchors.ts';
import { EvidenceIntents } from './intents.ts';
import { EvidenceLog, type EvidenceLogPorts } from './log.ts';
import type { EventBus } from '../event-bus.ts';
import type { AttemptHooks } from '../outbox/attempts.ts';
import type { Files, Log, Stores } from '../ports.ts';

interface EvidenceWorkPorts extends Omit<EvidenceLogPorts, 'evidence'> {
  readonly stores: Stores;
  readonly events: Pick<EventBus, 'on'>;
  readonly files: Files;
  readonly log: Log;
  readonly toFailure: ToFailure;
  readonly hooks?: AttemptHooks;
}

export interface EvidenceWork {
  readonly evidenceLog: EvidenceLog;
  readonly intents: EvidenceIntents;
  readonly anchors: EvidenceAnchors;
  /** Hooks of the outbox, by which the evidence receives the answers to requests. */
  readonly hooks: AttemptHooks;
}

/** Creates the log, the link from the outbox to the log, and the anchors outside of the log. */
export function createEvidenceWork(ports: EvidenceWorkPorts): EvidenceWork {
  const { stores, events, log } = ports;
  const evidenceLog = new EvidenceLog({ ...ports, evidence: stores.evidence });
  const intents = new EvidenceIntents({
    stores,
    evidence: stores.evidence,
    log: evidenceLog,
    complain: (error) => void log.error(error, 'evidence.settle'),
  });
  const anchors = new EvidenceAnchors({ ...ports, evidenceLog });
  // The folder for anchor files may have changed.
  events.on('settings.changed', () => void anchors.keep());
  // The row's change may be the outcome of a signature, which is recorded as evidence.
  events.on('outbox.changed', ({ ref }) => intents.settle(ref));
  const hooks: AttemptHooks = {
    beforeAttempt: (...attempt) => ports.hooks?.beforeAttempt(...attempt),
    afterAttempt(item, result) {
      intents.answered(item.ref, 'serverTime' in result ? result.serverTime : null);
      ports.hooks?.afterAttempt(item, result);
    },
  };
  return { evidenceLog, intents, anchors, hooks };
}
