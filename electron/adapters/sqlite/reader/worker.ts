import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../../../shared/errors.ts';
import { createLists } from '../agreements/lists.ts';
import { createAgreementIndex } from '../agreements/search-index.ts';
import { createBoardStore } from '../board/store.ts';
import { connect } from '../database/cipher.ts';
import { createDatabase } from '../database/database.ts';
import { applySettings } from '../open/open.ts';
import { answerQuestion, Ask, type Reply, Setup } from './messages.ts';

/*
 * Answers what lists of agreements ask, through a connection of its own that writes nothing, beside
 * the main loop and beside whoever writes.
 */

const { file, key } = Setup.parse(workerData);
const raw = connect(file, key, 'read');
applySettings(raw);
const database = createDatabase(raw, file);
const answering = {
  lists: createLists(database, createAgreementIndex(database)),
  board: createBoardStore(database),
};

parentPort?.on('message', (message: unknown) => {
  const ask = Ask.parse(message);
  if ('end' in ask) {
    database.close();
    parentPort?.close();
    return;
  }
  const { number, question } = ask;
  try {
    post({ kind: 'answer', number, value: answerQuestion(answering, question) });
  } catch (error) {
    const failure = error instanceof AppError ? error.failure : null;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ kind: 'failure', number, failure, stack });
  }
});
post({ kind: 'ready' });

function post(reply: Reply): void {
  parentPort?.postMessage(reply);
}
