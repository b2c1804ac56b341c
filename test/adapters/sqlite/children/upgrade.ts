import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { applySettings } from '../../../../electron/adapters/sqlite/open/open.ts';
import { migrate, type Migration } from '../../../../electron/adapters/sqlite/database/migrate.ts';

/** Upgrades the file of the first argument, with the key of the second, after a message. */
const [, , file = '', key = '', steps = '[]'] = process.argv;
const migrations: Migration[] = JSON.parse(steps);

process.on('message', () => {
  const raw = connect(file, Buffer.from(key, 'hex'), 'write');
  applySettings(raw);
  migrate(raw, migrations, `${file}.before-${process.pid}`);
  const rows = raw.prepare('SELECT text FROM step ORDER BY number').all();
  raw.close();
  process.send?.(rows);
  process.disconnect();
});
process.send?.('ready');
