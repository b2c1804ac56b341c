import { workerData } from 'node:worker_threads';
import * as z from 'zod';
import { serveThread } from '../../threads/serve.ts';
import { createLists } from '../agreements/lists.ts';
import { createAgreementIndex } from '../agreements/search-index.ts';
import { createBoardStore } from '../board/store.ts';
import { connect } from '../database/cipher.ts';
import { blobColumn } from '../database/columns.ts';
import { createDatabase } from '../database/database.ts';
import { applySettings } from '../open/open.ts';

/*
 * Answers calls of agreement lists through a separate read-only connection, off the main loop and
 * in parallel with writers.
 */

const Setup = z.object({ file: z.string(), key: blobColumn });

const { file, key } = Setup.parse(workerData);
const raw = connect(file, key, 'read');
applySettings(raw);
const database = createDatabase(raw, file);
const lists = createLists(database, createAgreementIndex(database));
serveThread({ ...lists, ...createBoardStore(database) }, () => database.close());
