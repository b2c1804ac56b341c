import type { Migration } from '../migrate.ts';
import { start } from './0001-start.ts';
import { actions } from './0002-actions.ts';
import { outboxFiles } from './0003-outbox-files.ts';

/** In order. A shipped migration is never edited; a change is a new file and a new row. */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'start', sql: start },
  { version: 2, name: 'actions', sql: actions },
  { version: 3, name: 'outbox-files', sql: outboxFiles },
];
