import { startDeskApp } from '../../app/support/desk.ts';

/* The desk's window over the data folder named as argument. Says `ready` once its list is drawn. */

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('usage: desk-window DATA');
const app = await startDeskApp({ dataDir });
await app.page.locator('[role=row][data-id]').first().waitFor();
await app.page.evaluate(
  'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
);
process.stdout.write('ready\n');
await app.close();
