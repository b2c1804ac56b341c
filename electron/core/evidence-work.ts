import { type Emit, events } from '../../shared/contract/index.ts';
import { writeAnchor } from './evidence.ts';
import { EvidenceIntents } from './evidence-intents.ts';
import { EvidenceLog, type EvidenceLogPorts } from './evidence-log.ts';
import type { Files, Log, Stores } from './ports.ts';

interface Given extends Omit<EvidenceLogPorts, 'evidence'> {
  readonly stores: Stores;
  readonly files: Files;
  readonly log: Log;
}

export interface EvidenceWork {
  readonly evidenceLog: EvidenceLog;
  readonly intents: EvidenceIntents;
  /** As given; what becomes known of a signature also goes into the evidence. */
  readonly emit: Emit;
  /** Notes outside of the log how far it has come. Never throws: what was signed is signed. */
  readonly noteEvidence: () => Promise<void>;
}

/** Puts together the log, and what follows the outbox into it. */
export function createEvidenceWork(given: Given): EvidenceWork {
  const { stores, files, clock, log } = given;
  const evidenceLog = new EvidenceLog({ ...given, evidence: stores.evidence });
  const intents = new EvidenceIntents({ stores, evidence: stores.evidence, log: evidenceLog });
  const emit: Emit = (name, data) => {
    given.emit(name, data);
    if (name !== 'outbox.changed') return;
    const row = events['outbox.changed'].safeParse(data);
    if (row.success) intents.settle(row.data.ref);
  };
  const noteEvidence = async () => {
    const { evidenceFolder } = stores.settings.read();
    try {
      await evidenceLog.note();
      if (evidenceFolder !== null) await writeAnchor({ evidenceLog, files, clock }, evidenceFolder);
    } catch (error) {
      log.error(error, 'evidence.note');
    }
  };
  return { evidenceLog, intents, emit, noteEvidence };
}
