import type { OutboxDoubt, OutboxItem } from '../../../shared/contract/outbox.ts';
import type { OutboxGates } from './gates.ts';
import type { StoredItem } from './ports.ts';
import { GAP, SETTLE } from './times.ts';

/** A row as people see it. */
export function shown(item: StoredItem, gates: OutboxGates): OutboxItem {
  const { track: _track, version: _version, fingerprint: _same, parties: _who, ...told } = item;
  return { ...told, people: [...told.people], doubt: doubtOf(item, gates) };
}

/** What is being done about it, by the clock here. */
function doubtOf(item: StoredItem, gates: OutboxGates): OutboxDoubt | null {
  const { state, track, connectionId, verify } = item;
  const { cleanPasses, lookAt: nextPassAt } = track;
  switch (state) {
    case 'unknown': {
      const skew = gates.skew(connectionId) ?? 0;
      const from = track.cleanAt ?? track.endedAt;
      const wait = track.cleanAt === null ? SETTLE + GAP : GAP;
      const knownAt = from === null ? null : Math.round(from - skew + wait);
      return { cleanPasses, nextPassAt, knownAt };
    }
    case 'absent':
    case 'human':
    case 'duplicate':
      return { cleanPasses, nextPassAt: null, knownAt: null };
    case 'queued': {
      if (!verify || track.endedAt === null) return null;
      const skew = gates.skew(connectionId) ?? 0;
      return { cleanPasses, nextPassAt, knownAt: Math.round(track.endedAt - skew + SETTLE) };
    }
    case 'rejected':
    case 'sending':
    case 'sent':
    case 'cancelled':
    case 'abandoned':
      return null;
  }
}
