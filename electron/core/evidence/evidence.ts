import { type Emit, events } from '../../../shared/contract/index.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import { EvidenceAnchors } from './anchors.ts';
import { EvidenceIntents } from './intents.ts';
import { EvidenceLog, type EvidenceLogPorts } from './log.ts';
import type { AttemptHooks } from '../outbox/attempts.ts';
import type { Files, Log, Stores } from '../ports.ts';

interface EvidenceWorkPorts extends Omit<EvidenceLogPorts, 'evidence'> {
  readonly stores: Stores;
  readonly files: Files;
  readonly log: Log;
  readonly toFailure: ToFailure;
  readonly hooks?: AttemptHooks;
}

export interface EvidenceWork {
  readonly evidenceLog: EvidenceLog;
  readonly intents: EvidenceIntents;
  readonly anchors: EvidenceAnchors;
  /** Hears the answers that the outbox gets. */
  readonly hooks: AttemptHooks;
  /** As given; what becomes known of a signature also goes into the evidence. */
  readonly emit: Emit;
}

/** Puts together the log, what follows the outbox into it, and what is kept of it elsewhere. */
export function createEvidenceWork(ports: EvidenceWorkPorts): EvidenceWork {
  const { stores, log } = ports;
  const evidenceLog = new EvidenceLog({ ...ports, evidence: stores.evidence });
  const intents = new EvidenceIntents({
    stores,
    evidence: stores.evidence,
    log: evidenceLog,
    complain: (error) => void log.error(error, 'evidence.settle'),
  });
  const anchors = new EvidenceAnchors({ ...ports, evidenceLog });
  const emit: Emit = (name, data) => {
    ports.emit(name, data);
    // The folder may be another one now.
    if (name === 'settings.changed') void anchors.keep();
    if (name !== 'outbox.changed') return;
    const row = events['outbox.changed'].safeParse(data);
    if (row.success) intents.settle(row.data.ref);
  };
  const hooks: AttemptHooks = {
    beforeAttempt: (...attempt) => ports.hooks?.beforeAttempt(...attempt),
    afterAttempt(item, result) {
      intents.answered(item.ref, 'serverTime' in result ? result.serverTime : null);
      ports.hooks?.afterAttempt(item, result);
    },
  };
  return { evidenceLog, intents, anchors, hooks, emit };
}
