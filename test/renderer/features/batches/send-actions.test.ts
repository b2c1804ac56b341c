import { describe, expect, it } from 'vitest';
import { sendActions } from '../../../../renderer/features/batches/send-actions.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';
import { placeActions } from '../../../../renderer/ui/layout/tool-actions.ts';

type Sending = Parameters<typeof sendActions>[0];

/** Buttons of a batch, the primary one marked with a star, and the items of its menu. */
function placesOf(
  progress: Sending['progress'],
  more: { readonly isHeld?: boolean; readonly handOver?: Sending['handOver'] } = {},
): readonly string[] {
  const { primary, plain, menu } = placeActions(actionsOf(progress, more));
  const ids = menu.map((group) => group.map(({ id }) => id).join(' '));
  return [...(primary ? [`*${primary.id}`] : []), ...plain.map(({ id }) => id), ...ids];
}

const labelOfRows = (progress: Sending['progress']): string | undefined =>
  actionsOf(progress).find(({ id }) => id === 'refused')?.label;

function actionsOf(
  progress: Sending['progress'],
  more: Parameters<typeof placesOf>[1] = {},
): ReturnType<typeof sendActions> {
  const work: Sending['work'] = {
    sendNow: async () => {},
    pause: async () => {},
    resume: async () => {},
    saveReport: async () => {},
  };
  const nothing = (): void => {};
  return sendActions({
    work,
    progress,
    isHeld: more.isHeld ?? false,
    undoKeys: 'Ctrl Z',
    undo: nothing,
    stop: nothing,
    openRefused: nothing,
    handOver: more.handOver ?? null,
  });
}

describe('a batch', () => {
  it('that is held can be undone or sent first of all', () => {
    expect(
      placesOf({ waiting: 3, refused: 0, givenUp: 0, gate: 'open' }, { isHeld: true }),
    ).toEqual(['*undo', 'now', 'pause', 'xlsx csv', 'stop']);
  });

  it('that is being sent has the buttons to pause and to stop', () => {
    const handOver = (): void => {};
    expect(placesOf({ waiting: 3, refused: 1, givenUp: 0, gate: 'open' }, { handOver })).toEqual([
      'pause',
      'stop',
      'refused hand-over xlsx csv',
    ]);
  });

  it('that is paused can be resumed or stopped', () => {
    expect(placesOf({ waiting: 3, refused: 0, givenUp: 0, gate: 'paused' })).toEqual([
      '*resume',
      'stop',
      'xlsx',
      'csv',
    ]);
  });

  it('that was sent has its results, and the refused rows if there are any', () => {
    expect(placesOf({ waiting: 0, refused: 0, givenUp: 0, gate: 'open' })).toEqual(['xlsx', 'csv']);
    expect(placesOf({ waiting: 0, refused: 2, givenUp: 0, gate: 'open' })).toEqual([
      'refused',
      'xlsx',
      'csv',
    ]);
  });

  it('that has rows which were given up can send them again, with or without refused rows', () => {
    const givenUp = { waiting: 0, refused: 0, givenUp: 1, gate: 'open' } as const;
    expect(placesOf(givenUp)).toEqual(['refused', 'xlsx', 'csv']);
    expect(labelOfRows(givenUp)).toBe(m.batch_given_up());
    const both = { waiting: 0, refused: 1, givenUp: 1, gate: 'open' } as const;
    expect(labelOfRows(both)).toBe(m.batch_refused_given_up());
  });
});
