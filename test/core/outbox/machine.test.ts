import { describe, expect, it } from 'vitest';
import { type MachineRow, transition } from '../../../electron/core/outbox/machine.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { AgreementId } from '../../../shared/model/ids.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const [own, other] = [AgreementId.parse('own'), AgreementId.parse('other')];

const rowIn = (state: OutboxState, change: Partial<MachineRow> = {}): MachineRow => ({
  state,
  policy: 'ask',
  attempts: 1,
  verify: false,
  remoteId: null,
  createdAt: NOW,
  mark: { by: 'tag' },
  track: {
    endedAt: NOW,
    cleanPasses: 0,
    cleanAt: null,
    inconclusiveScans: 0,
    inconclusiveSince: null,
    looks: 0,
    lookAt: NOW,
  },
  wasInDoubt: false,
  ...change,
});

/** State of the row after a complete list shows these agreements with its mark. */
function afterPass(row: MachineRow, ...hits: readonly AgreementId[]): OutboxState | null {
  const seen = { hits, lookalikes: 0, incompleteReason: null, serverAt: NOW } as const;
  return transition(row, { kind: 'pass', seen }, NOW)?.to ?? null;
}

describe('a scan result', () => {
  it.each(['unknown', 'absent', 'human', 'abandoned', 'rejected', 'queued'] as const)(
    'with the agreement of a row that is %s settles the row, or asks which of two is kept',
    (state) => {
      expect(afterPass(rowIn(state), own)).toBe('sent');
      expect(afterPass(rowIn(state), own, other)).toBe('duplicate');
    },
  );

  it.each(['sending', 'cancelled', 'duplicate'] as const)(
    'changes nothing for a row that is %s',
    (state) => {
      expect(afterPass(rowIn(state), own)).toBeNull();
      expect(afterPass(rowIn(state), own, other)).toBeNull();
    },
  );

  it('settles a waiting row only when part of it may have been sent', () => {
    const waiting = rowIn('queued', { attempts: 0 });
    expect(afterPass(waiting, own)).toBeNull();
    expect(afterPass(waiting, own, other)).toBeNull();
    expect(afterPass({ ...waiting, verify: true }, own)).toBe('sent');
    expect(afterPass({ ...waiting, attempts: 1 }, own)).toBe('sent');
  });

  it('reports a second agreement of a sent row, but not the known one', () => {
    const sent = rowIn('sent', { remoteId: own });
    expect(afterPass(sent, own)).toBeNull();
    expect(afterPass(sent)).toBeNull();
    expect(afterPass(sent, own, other)).toBe('duplicate');
    expect(afterPass(sent, other)).toBe('duplicate');
  });
});
