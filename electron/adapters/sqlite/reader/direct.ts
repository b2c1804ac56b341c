import type { AgreementLists, AgreementReader } from '../../../core/agreements/ports.ts';
import type { BoardReader, BoardStore } from '../../../core/board/ports.ts';
import { answerBy, callsTo } from '../../threads/calls.ts';

/** What lists ask. */
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
 * Answers on the loop that asks: for a command, which has nothing else to do meanwhile, and for data
 * in memory, which no other thread can open.
 */
export const readDirectly = (lists: AgreementLists): AgreementReader =>
  callsTo<AgreementLists>(listCalls, answerBy(lists));

/** The same of what the board counts. */
export const countDirectly = (store: BoardStore): BoardReader => ({
  board: async (question) => store.board(question),
});
