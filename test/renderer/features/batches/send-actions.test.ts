import { describe, expect, it } from 'vitest';
import { sendActions } from '../../../../renderer/features/batches/send-actions.ts';
import { placeActions } from '../../../../renderer/ui/layout/tool-actions.ts';

type Sending = Parameters<typeof sendActions>[0];

/** Buttons of a batch, the primary one marked with a star, and the items of its menu. */
function placesOf(
  progress: Sending['progress'],
  more: { readonly isHeld?: boolean; readonly handOver?: Sending['handOver'] } = {},
): readonly string[] {
  const work: Sending['work'] = {
    sendNow: async () => {},
    pause: async () => {},
    resume: async () => {},
    saveReport: async () => {},
  };
  const nothing = (): void => {};
  const actions = sendActions({
    work,
    progress,
    isHeld: more.isHeld ?? false,
    undoKeys: 'Ctrl Z',
    undo: nothing,
    stop: nothing,
    openRefused: nothing,
    handOver: more.handOver ?? null,
  });
  const { primary, plain, menu } = placeActions(actions);
  const ids = menu.map((group) => group.map(({ id }) => id).join(' '));
  return [...(primary ? [`*${primary.id}`] : []), ...plain.map(({ id }) => id), ...ids];
}

describe('a batch', () => {
  it('that is held can be undone or sent first of all', () => {
    expect(placesOf({ waiting: 3, refused: 0, gate: 'open' }, { isHeld: true })).toEqual([
      '*undo',
      'now',
      'pause',
      'xlsx csv',
      'stop',
    ]);
  });

  it('that is being sent has the buttons to pause and to stop', () => {
    const handOver = (): void => {};
    expect(placesOf({ waiting: 3, refused: 1, gate: 'open' }, { handOver })).toEqual([
      'pause',
      'stop',
      'refused hand-over xlsx csv',
    ]);
  });

  it('that is paused can be resumed or stopped', () => {
    expect(placesOf({ waiting: 3, refused: 0, gate: 'paused' })).toEqual([
      '*resume',
      'stop',
      'xlsx',
      'csv',
    ]);
  });

  it('that was sent has its results, and the refused rows if there are any', () => {
    expect(placesOf({ waiting: 0, refused: 0, gate: 'open' })).toEqual(['xlsx', 'csv']);
    expect(placesOf({ waiting: 0, refused: 2, gate: 'open' })).toEqual(['refused', 'xlsx', 'csv']);
  });
});
