import { startDemo } from '../../../electron/demo/start.ts';
import type { Api } from '../../../shared/contract/index.ts';
import type { PersonId } from '../../../shared/contract/people.ts';
import type { BatchId, DraftId, OutboxRef, TemplateId } from '../../../shared/model/ids.ts';
import { startDeskApp, type DeskApp, type DeskAppOptions } from './desk.ts';
import { apiOf, prepareDraft } from './prepared-draft.ts';
import { entryOf } from '../../support/person-entry.ts';
import { tryDemo } from './steps.ts';

/** A program with data on which every screen has contents. */
export interface FurnishedDesk extends DeskApp {
  readonly drafts: { readonly v1: DraftId; readonly v2: DraftId };
  /** The samples of the demo. */
  readonly samples: { readonly template: TemplateId; readonly batch: BatchId };
  /** An entry of the address book. */
  readonly person: PersonId;
  /** A send with an unknown outcome. */
  readonly unknown: OutboxRef;
}

/**
 * Opens the demo and adds two drafts, a signing person, a real connection, and a send that got no
 * answer.
 */
export async function furnish(options: DeskAppOptions = {}): Promise<FurnishedDesk> {
  const app = await startDeskApp({ seed: 'full', ...options });
  await tryDemo(app.page);
  const api = apiOf(app);
  await api['identities.add']({ name: 'Karin', firstName: 'Karin', lastName: 'Lindqvist' });
  const drafts = {
    v1: await prepareDraft(app, 'v1', 'Arrende av åkermark'),
    v2: await prepareDraft(app, 'v2', 'Städning av trapphus'),
  };
  const samples = await api['samples.add']({});
  const person = await fillBook(api);
  const unknown = await sendWithoutReply(app);
  // The connection has an empty account, so that a sync changes no screen.
  const office = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
  const real = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
  const secret = office.credentials.token;
  await api['connections.add']({ ...real, url: office.v1Url, secret });
  const close = async () => {
    await app.close();
    await office.close();
  };
  return { ...app, close, drafts, samples, person, unknown };
}

/** People in a group, one of them twice with different spellings. */
async function fillBook(api: Api): Promise<PersonId> {
  const number = { personNumber: '19850709-9805', country: 'SE', mobile: '070-123 45 67' };
  const asa = { email: 'asa.oberg@example.com' };
  const { id } = await api['people.save']({ id: null, entry: entryOf({ ...asa, ...number }) });
  await api['people.save']({
    id: null,
    entry: entryOf({ ...asa, firstName: 'Asa', lastName: 'Oberg' }),
  });
  const company = {
    kind: 'company',
    name: 'Kvarnens Kök AB',
    companyNumber: '559999-0008',
  } as const;
  const entry = entryOf({ ...company, firstName: '', lastName: '', email: 'kok@example.com' });
  await api['people.save']({ id: null, entry });
  const { id: group } = await api['people.saveGroup']({ name: 'Styrelsen', content: null });
  await api['people.setMember']({ id, group, isIn: true });
  return id;
}

async function sendWithoutReply(app: DeskApp): Promise<OutboxRef> {
  const api = apiOf(app);
  const id = await prepareDraft(app, 'v1', 'Svaret som uteblev');
  const { connectionId } = await api['drafts.show']({ id });
  if (connectionId === null) throw new Error('The demo has no connection for v1');
  // The request created no agreement, so no sync settles the send while the tests run.
  app.demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-before' } });
  const order = { id, connectionId, holdSeconds: 0, confirm: 1 };
  const { ref } = await api['drafts.send'](order);
  await api['outbox.run']({});
  return ref;
}

/** Opens an address of the page. */
export async function show({ page }: DeskApp, hash: string): Promise<void> {
  await page.evaluate((to) => (window.location.hash = to), hash);
}
