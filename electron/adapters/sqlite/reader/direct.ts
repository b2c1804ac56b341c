import type { AgreementLists, AgreementReader } from '../../../core/agreements/ports.ts';
import type { BoardReader, BoardStore } from '../../../core/board/ports.ts';

/**
 * Answers on the loop that asks: for a command, which has nothing else to do meanwhile, and for data
 * in memory, which no other thread can open.
 */
export function readDirectly(lists: AgreementLists): AgreementReader {
  return {
    list: async (...asked) => lists.list(...asked),
    window: async (...asked) => lists.window(...asked),
    groups: async (...asked) => lists.groups(...asked),
    position: async (...asked) => lists.position(...asked),
    keys: async (...asked) => lists.keys(...asked),
    numbers: async (...asked) => lists.numbers(...asked),
    rows: async (...asked) => lists.rows(...asked),
    named: async (...asked) => lists.named(...asked),
    count: async (...asked) => lists.count(...asked),
    counts: async (...asked) => lists.counts(...asked),
    retirable: async (...asked) => lists.retirable(...asked),
  };
}

/** The same of what the board counts. */
export const countDirectly = (store: BoardStore): BoardReader => ({
  board: async (question) => store.board(question),
});
