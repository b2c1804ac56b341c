import { startDeskApp } from '../support/desk.ts';
import { started, stored, writeFieldsAndMessages, writeParties } from '../support/lease-story.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { fill } from '../support/steps.ts';

/**
 * One sitting at a lease, in a process of its own that waits to be killed: after the first one
 * everything is stored, in the second one somebody is still typing.
 */
const [, , sitting = '', dataDir = '', url = '', token = '', file = ''] = process.argv;

const app = await startDeskApp({ dataDir });
const { page } = app;
if (sitting === 'first') {
  const office = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
  await apiOf(app)['connections.add']({ ...office, url, secret: token });
  await started(page);
  await writeParties(page, file);
  await stored(page);
} else {
  await writeFieldsAndMessages(page);
  await stored(page);
  await fill(page, page.getByLabel('rent', { exact: true }), '9 4');
}
process.send?.('typed');
