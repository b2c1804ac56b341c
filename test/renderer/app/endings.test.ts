import { describe, expect, it } from 'vitest';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { AgreementId, BatchId, ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { endingsBetween, type WorkInProgress } from '../../../renderer/app/endings.ts';

const connectionId = ConnectionId.parse('2b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');
const batchId = BatchId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');
const none = { queued: 0, sending: 0, sent: 0, rejected: 0, unknown: 0, absent: 0, human: 0 };

type Send = WorkInProgress['sends'][number];

const send = (last: string, state: OutboxState, kind: Send['kind'] = 'create'): Send => ({
  ref: OutboxRef.parse(`3b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a0${last}`),
  kind,
  state,
  title: `Lease ${last}`,
  people: ['Åsa', 'Per'],
  connectionId,
  remoteId: AgreementId.parse('00471100001'),
  reason: null,
});
const going = (...sends: readonly Send[]): WorkInProgress => ({ sends, batches: [] });
const batch = (queued: number, needsPerson: number): WorkInProgress => ({
  sends: [],
  batches: [
    {
      batchId,
      title: 'Rents',
      rows: 14,
      needsPerson,
      counts: { ...none, duplicate: 0, cancelled: 0, abandoned: 0, queued },
    },
  ],
});

describe('the message about the end of a send', () => {
  it('is shown once after it was sent (SC-05)', () => {
    const sent = going(send('1', 'sent'));
    expect(endingsBetween(going(send('1', 'sending')), sent)).toEqual([
      { of: 'sends', sends: sent.sends },
    ]);
    expect(endingsBetween(sent, sent)).toEqual([]);
  });

  it('is one sentence for several sends that ended together', () => {
    const before = going(send('1', 'sending'), send('2', 'sending'));
    const now = going(send('1', 'sent'), send('2', 'sent'));
    expect(endingsBetween(before, now)).toHaveLength(1);
  });

  it.each(['rejected', 'unknown', 'human', 'duplicate', 'absent'] as const)(
    'asks for attention, after the messages of other sends, if the send is %s',
    (state) => {
      const before = going(send('1', 'sending'), send('2', 'sending'));
      const now = going(send('1', state), send('2', 'sent'));
      expect(endingsBetween(before, now).map(({ of }) => of)).toEqual(['sends', 'trouble']);
    },
  );

  it('is shown for a send that ended before its start was seen', () => {
    expect(endingsBetween(going(), going(send('1', 'sent')))).toHaveLength(1);
  });

  it('is omitted for a send that was stopped by hand, and for a signature', () => {
    expect(endingsBetween(going(send('1', 'queued')), going(send('1', 'cancelled')))).toEqual([]);
    const signature = going(send('1', 'sent', 'sign'));
    expect(endingsBetween(going(send('1', 'sending', 'sign')), signature)).toEqual([]);
  });
});

describe('the message about the end of a batch', () => {
  it('is shown when its last row was sent, and not before', () => {
    expect(endingsBetween(batch(2, 0), batch(1, 0))).toEqual([]);
    expect(endingsBetween(batch(1, 0), batch(0, 2))).toEqual([
      { of: 'batch', batch: batch(0, 2).batches[0] },
    ]);
    expect(endingsBetween(batch(0, 2), batch(0, 2))).toEqual([]);
  });
});
