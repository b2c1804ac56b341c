import type { AgreementLists, AgreementReader } from '../../../core/agreements/ports.ts';
import type { BoardReader, BoardStore } from '../../../core/board/ports.ts';
import { answerBy, callsTo } from '../../threads/calls.ts';

export const listCalls: Readonly<Record<keyof AgreementLists, true>> = {
  list: true,
  window: true,
  groups: true,
  position: true,
  keys: true,
  numbers: true,
  rows: true,
  named: true,
  count: true,
  counts: true,
  retirable: true,
};

/**
 * Answers on the calling loop. It is used for commands, which have no other work, and for in-memory
 * data, which other threads cannot open.
 */
export const readDirectly = (lists: AgreementLists): AgreementReader =>
  callsTo<AgreementLists>(listCalls, answerBy(lists));

/** Answers the board's calls on the calling loop. */
export const countDirectly = (store: BoardStore): BoardReader => ({
  board: async (question) => store.board(question),
});
