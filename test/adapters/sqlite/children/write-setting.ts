import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';

/** Opens the data file as a second process, changes one setting and ends. */
const [, , file = '', key = ''] = process.argv;
const database = openDatabase({ file, key: Buffer.from(key, 'hex'), now: Date.now() });
createStores(database).settings.write({ theme: 'dark' });
database.close();
