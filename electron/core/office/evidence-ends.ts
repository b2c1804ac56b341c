import type { ExternalEvidenceEnds } from '../evidence/ports.ts';
import type { OfficeSession } from './session.ts';

/** The office as an external location where this computer's evidence log records its end. */
export function createOfficeEvidenceEnds(room: Pick<OfficeSession, 'open'>): ExternalEvidenceEnds {
  return {
    async note(log, end) {
      const office = await room.open();
      if (office === null) return false;
      await office.evidenceEnds.note(log, end);
      return true;
    },
    async read(logs) {
      const office = await room.open();
      return office === null ? [] : office.evidenceEnds.read(logs);
    },
  };
}
