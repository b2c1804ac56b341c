import { startDeskApp } from '../support/desk.ts';
import { FILE, ROWS } from '../support/batch-story.ts';
import { fill, goTo, moveToRow, press } from '../support/steps.ts';
import { words } from '../support/words.ts';

/**
 * Runs one session with a batch, which is killed while rows are in flight. In the first session the
 * user sends the batch; in the second one the program only starts.
 */
const [, , sitting = '', dataDir = ''] = process.argv;

const { page } = await startDeskApp({ dataDir });
await page.getByTestId('agreements.new-draft').waitFor();
if (sitting === 'first') {
  await goTo(page, 'Control+5', words.screen_batch());
  await moveToRow(page, FILE);
  await page.keyboard.press('Enter');
  await press(page, page.getByTestId('batch.step.review'));
  await fill(page, page.getByTestId('batch.count'), String(ROWS));
  await page.keyboard.press('Enter');
}
