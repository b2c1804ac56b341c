import process from 'node:process';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { migrate } from '../../../../electron/adapters/sqlite/database/migrate.ts';

/* A process that is killed during an upgrade, with uncommitted writes. */

const [file = '', key = '', sql = ''] = process.argv.slice(2);
const raw = connect(file, Buffer.from(key, 'hex'), 'write');
raw.pragma('journal_mode = WAL');
const die = (): never => {
  // Moves the earlier writes from memory into the write-ahead log.
  raw.pragma('cache_spill = 1');
  process.kill(process.pid, 'SIGKILL');
  throw new Error('nobody comes here');
};
const first = { version: 1, name: 'first', sql: '' };
migrate(raw, [first, { version: 2, name: 'killed', sql, fill: die }], `${file}.before`);
