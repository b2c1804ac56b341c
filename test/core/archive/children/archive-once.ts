import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { createArchiving } from '../../../support/desks/archiving.ts';
import type { Place } from '../../../support/desks/syncing.ts';

/* Runs the archive once, in a process that can be killed at any time. */

interface Order {
  readonly file: string;
  readonly key: string;
  readonly place: Place;
  readonly folder: string;
}

const order = JSON.parse(process.argv[2] ?? '') as Order;
const database = openDatabase({
  file: order.file,
  key: Buffer.from(order.key, 'hex'),
  now: Date.now(),
});
const archiving = createArchiving(createStores(database), order.place);
const { result, failure } = await archiving.run({ folder: order.folder, parallel: 8 });
process.stdout.write(JSON.stringify({ result, failure }));
database.close();
