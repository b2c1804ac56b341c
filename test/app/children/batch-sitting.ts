import { startDeskApp } from '../support/desk.ts';
import { FILE, ROWS } from '../support/batch-story.ts';
import { fill, goTo, moveToRow, press } from '../support/steps.ts';
import { words } from '../support/words.ts';

/**
 * One sitting at a batch in a window of its own that is killed while rows are on the wire: in the
 * first one a person sends it, the second one only opens the program.
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
