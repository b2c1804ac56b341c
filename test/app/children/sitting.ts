import { startDeskApp } from '../support/desk.ts';
import { started } from '../support/draft-steps.ts';
import type { AppSession, Story } from '../support/killed-sittings.ts';
import { lease } from '../support/lease-story.ts';
import { legacy } from '../support/legacy-story.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { serviceTemplate } from '../support/service-template-story.ts';

/**
 * The stories by name. This process runs one session of a story, and then waits until it is killed.
 */
const stories: Readonly<Record<string, Story>> = {
  lease,
  legacy,
  'service-template': serviceTemplate,
};

const sitting = JSON.parse(process.argv[2] ?? '') as AppSession;
const { story, part, dataDir, files } = sitting;
const app = await startDeskApp({ dataDir });
if (part === 'first') {
  const { api, url, secret, accountId } = sitting;
  const office = { name: 'Kontoret', environment: 'test', api, url, secret, accountId } as const;
  await apiOf(app)['connections.add'](office);
  await started(app.page);
}
await stories[story]?.[part](app.page, files);
process.send?.('typed');
