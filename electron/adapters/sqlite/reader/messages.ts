import * as z from 'zod';
import {
  AgreementFilter,
  AgreementQuery,
  AgreementStretch,
  AgreementView,
  KeyStretch,
  RowMore,
} from '../../../../shared/contract/agreement-query.ts';
import { AgreementKey, ConnectionId } from '../../../../shared/model/ids.ts';
import { Failure } from '../../../../shared/errors.ts';
import type { AgreementLists } from '../../../core/agreements/ports.ts';
import type { BoardQuestion, BoardStore } from '../../../core/board/ports.ts';
import { blobColumn } from '../database/columns.ts';

/** What the thread begins with. The key goes from memory to memory, and nowhere else. */
export const Setup = z.object({ file: z.string(), key: blobColumn });

const now = z.number();
const more = z.array(RowMore);

const stretches = z.array(z.object({ from: now, to: now })).readonly();
const BoardAsked: z.ZodType<BoardQuestion> = z.object({
  connectionId: ConnectionId.nullable(),
  now,
  ages: stretches,
  months: stretches,
  ahead: stretches,
  since: now,
  mostTemplates: z.number(),
});

/** What lists ask, as in `AgreementLists`. */
export const Question = z.discriminatedUnion('about', [
  z.object({ about: z.literal('list'), query: AgreementQuery, now }),
  z.object({ about: z.literal('window'), stretch: AgreementStretch, now }),
  z.object({ about: z.literal('groups'), view: AgreementView, now }),
  z.object({ about: z.literal('position'), view: AgreementView, key: AgreementKey, now }),
  z.object({ about: z.literal('keys'), stretch: KeyStretch, now }),
  z.object({ about: z.literal('numbers'), view: AgreementView, now }),
  z.object({ about: z.literal('rows'), numbers: z.instanceof(Uint32Array), more }),
  z.object({ about: z.literal('named'), keys: z.array(AgreementKey), more }),
  z.object({ about: z.literal('board'), asked: BoardAsked }),
  z.object({ about: z.literal('count'), filter: AgreementFilter, now }),
  z.object({ about: z.literal('counts'), connectionId: ConnectionId.optional(), now }),
  z.object({ about: z.literal('retirable'), before: now }),
]);
export type Question = z.infer<typeof Question>;

/** What the thread is sent; the numbers are those of the replies. */
export const Ask = z.union([
  z.object({ number: z.number(), question: Question }),
  z.object({ end: z.literal(true) }),
]);
export type Ask = z.infer<typeof Ask>;

/** Only failures the program throws on purpose keep their words; others tell their stack to the log. */
export const Reply = z.discriminatedUnion('kind', [
  /** The data file is open. */
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('answer'), number: z.number(), value: z.unknown() }),
  z.object({
    kind: z.literal('failure'),
    number: z.number(),
    failure: Failure.nullable(),
    stack: z.string(),
  }),
]);
export type Reply = z.infer<typeof Reply>;

/** What answers, in the thread and without it. */
export interface Answering {
  readonly lists: AgreementLists;
  readonly board: BoardStore;
}

/** The same answer in the thread and without it. */
export function answerQuestion({ lists, board }: Answering, question: Question): unknown {
  switch (question.about) {
    case 'list':
      return lists.list(question.query, question.now);
    case 'window':
      return lists.window(question.stretch, question.now);
    case 'groups':
      return lists.groups(question.view, question.now);
    case 'position':
      return lists.position(question.view, question.key, question.now);
    case 'keys':
      return lists.keys(question.stretch, question.now);
    case 'numbers':
      return lists.numbers(question.view, question.now);
    case 'rows':
      return lists.rows(question.numbers, question.more);
    case 'named':
      return lists.named(question.keys, question.more);
    case 'board':
      return board.board(question.asked);
    case 'count':
      return lists.count(question.filter, question.now);
    case 'counts':
      return lists.counts(question.connectionId, question.now);
    case 'retirable':
      return lists.retirable(question.before);
  }
}
