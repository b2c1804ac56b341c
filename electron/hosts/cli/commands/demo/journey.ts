import { ArchiveResult } from '../../../../../shared/contract/archive.ts';
import { SyncResult } from '../../../../../shared/contract/agreements.ts';
import type { Connection } from '../../../../../shared/contract/connections.ts';
import type {
  AgreementId,
  AgreementKey,
  ApiName,
  DraftId,
  IdentityId,
} from '../../../../../shared/model/ids.ts';
import type { OutboxItem } from '../../../../../shared/contract/outbox.ts';
import { OpenedReview, SignResult } from '../../../../../shared/contract/signing.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { demoContent, demoFieldCount } from './bodies.ts';
import type { Stage } from './stage.ts';
import { followJob } from '../../session/jobs.ts';
import { count } from '../../output/text.ts';

const FORM_NAME = 'lease.pdf';
const CREATE_PATH_PATTERNS = {
  v1: /\/v1\/agreements$/,
  v2: /\/legacy\/v2\/agreements$/,
} as const satisfies Record<ApiName, RegExp>;
const DOWNLOAD_PATH_PATTERN = /\/download(?:\?|$)/;

/** Results of the main job through one API. */
export interface Journey {
  readonly api: ApiName;
  readonly synced: number;
  readonly created: number;
  readonly unknown: number;
  readonly signed: number;
  readonly archived: number;
  readonly folder: string;
}

/**
 * Runs the main job through one API, from connecting to the archive, on the built-in service.
 * Compares each step with the requests that the service received.
 * @throws AppError when a step has a wrong result.
 */
export async function runJourney(
  stage: Stage,
  api: ApiName,
  identityId: IdentityId,
): Promise<Journey> {
  const connection = await connectToDemo(stage, api);
  const synced = await readAgreements(stage, connection);
  const first = await sendAndExpectOneCreate(stage, connection, `Lease Storgatan 12 (${api})`);
  const second = await sendWithLostReply(stage, connection, `Lease Kungsgatan 3 (${api})`);
  const signed = await signForAllParties(stage, connection, [first, second], identityId);
  const { folder, saved } = await archiveTwice(stage, connection);
  return { api, synced, created: 2, unknown: 1, signed, archived: saved, folder };
}

async function connectToDemo({ session, say }: Stage, api: ApiName): Promise<Connection> {
  const demos = await session.api['connections.addDemo']({});
  const connection = demos.find((one) => one.api === api);
  if (connection === undefined) throw demoFailure(`There is no demo connection for ${api}`);
  const { ok, steps } = await session.api['connections.test']({ id: connection.id });
  expectDemoResult(`test of ${connection.name} passed`, ok, true);
  say(`${api}: connected and tested in ${count(steps.length, 'step')}`);
  return connection;
}

async function readAgreements(stage: Stage, connection: Connection): Promise<number> {
  const { api } = stage.session;
  await sync(stage, connection);
  const { all, byState } = await api['agreements.counts']({ connectionId: connection.id });
  const known = stage.demo.agreements[connection.api]().length;
  expectDemoResult('agreements on the service seen', all > 0 && all <= known, true);
  const states = Object.entries(byState).filter(([, number]) => number > 0);
  const counts = states.map(([state, number]) => `${number} ${state}`).join(', ');
  stage.say(`${connection.api}: read ${count(all, 'agreement')}: ${counts}`);
  return all;
}

/** Drafts and sends once; the service must have received exactly one create request. */
async function sendAndExpectOneCreate(
  stage: Stage,
  connection: Connection,
  title: string,
): Promise<AgreementId> {
  const before = countCreateRequests(stage, connection.api);
  const item = await dispatch(stage, connection, await createDemoDraft(stage, connection, title));
  expectDemoResult(`state of "${title}"`, item.state, 'sent');
  expectDemoResult(
    `requests that create "${title}"`,
    countCreateRequests(stage, connection.api) - before,
    1,
  );
  stage.say(`${connection.api}: sent "${title}": 1 request, 1 agreement`);
  return agreementOf(item);
}

/**
 * Sends once more. The service carries the create request out, but its answer is lost: nothing may
 * be sent again.
 */
async function sendWithLostReply(
  stage: Stage,
  connection: Connection,
  title: string,
): Promise<AgreementId> {
  const { session, demo, say } = stage;
  const { api } = connection;
  const id = await createDemoDraft(stage, connection, title);
  const before = countCreateRequests(stage, api);
  demo.fault({ method: 'POST', path: CREATE_PATH_PATTERNS[api], do: { kind: 'reset-after' } });
  const lost = await dispatch(stage, connection, id);
  expectDemoResult(`state of "${title}"`, lost.state, 'unknown');
  await session.api['outbox.run']({});
  expectDemoResult(`requests that create "${title}"`, countCreateRequests(stage, api) - before, 1);
  say(`${api}: the answer to "${title}" was lost: unknown outcome, not sent again`);
  await sync(stage, connection);
  const found = await settleLostSend(stage, lost, title);
  expectDemoResult(`requests that create "${title}"`, countCreateRequests(stage, api) - before, 1);
  return agreementOf(found);
}

/**
 * Settles the send whose answer was lost. API v1 returns the outbox reference as a tag, so a sync
 * finds the agreement. On API v2 the user looks for the code in the name.
 */
async function settleLostSend(stage: Stage, lost: OutboxItem, title: string): Promise<OutboxItem> {
  const { session, demo, say } = stage;
  const item = await session.api['outbox.show']({ ref: lost.ref });
  if (item.state === 'sent') {
    say(`v1: a sync found "${title}" by its tag, so it was sent`);
    return item;
  }
  const { items } = await session.api['agreements.list']({ search: title });
  const [match, ...others] = items;
  expectDemoResult(`agreements named "${title}"`, others.length, 0);
  // The agreement's name ends in a code that distinguishes it from others of the same title.
  const made = demo.agreements.v2().filter(({ name }) => name.startsWith(`${title} ·`));
  expectDemoResult('agreements on the service', made.length, 1);
  if (match === undefined) throw demoFailure(`"${title}" was not found`);
  const decision = { as: 'sent', remoteId: match.id } as const;
  const decided = await session.api['outbox.settle']({ ref: lost.ref, decision });
  expectDemoResult(`state of "${title}"`, decided.state, 'sent');
  say(`v2: "${title}" was found on the service and settled as sent`);
  return decided;
}

/**
 * Makes a draft without the service: a PDF form, its values, and the check that lists who will be
 * notified.
 */
async function createDemoDraft(
  stage: Stage,
  connection: Connection,
  title: string,
): Promise<DraftId> {
  const { session, demo, form, say } = stage;
  const { api, id: connectionId } = connection;
  const about = { title, now: Date.now(), orgNo: demo.company.orgNo };
  const content = demoContent(api, about, null);
  const { id } = await session.api['drafts.create']({ content, connectionId });
  const bytes = session.giveBytes(form);
  const file = await session.api['drafts.attach']({ id, name: FORM_NAME, bytes });
  const { revision } = await session.api['drafts.show']({ id });
  const filled = demoContent(api, about, file);
  await session.api['drafts.save']({ id, revision, content: filled, connectionId });
  const { errors, contacts } = await session.api['drafts.check']({ id });
  const problems = errors.map(({ field, message }) => `${field}: ${message}`);
  expectDemoResult(`problems of "${title}"`, problems.join('; '), '');
  const notifies = `notifies ${count(contacts.people, 'person', 'people')} by ${count(contacts.emails, 'email')}`;
  say(
    `${api}: drafted "${title}" with ${count(demoFieldCount, 'form value')}; sending it ${notifies}`,
  );
  return id;
}

async function dispatch(stage: Stage, connection: Connection, id: DraftId): Promise<OutboxItem> {
  const { api } = stage.session;
  const input = { id, connectionId: connection.id, holdSeconds: 0, confirm: 1 };
  const { ref } = await api['drafts.send'](input);
  await api['outbox.run']({});
  return api['outbox.show']({ ref });
}

/** Lets the other parties sign; then signs for the user's own company, as a named person. */
async function signForAllParties(
  stage: Stage,
  connection: Connection,
  ids: readonly AgreementId[],
  identityId: IdentityId,
): Promise<number> {
  const { session, demo, say } = stage;
  const { api, id: connectionId } = connection;
  for (const id of ids) demo.act(api, id, 'sign-others');
  await sync(stage, connection);
  const waiting = await session.api['signing.list']({ connectionId });
  const items = waiting
    .filter(({ id, state }) => ids.includes(id) && state === 'ready')
    .map(({ id, partyId }) => ({ connectionId, id, partyId }));
  expectDemoResult(`${api} agreements ready for our signature`, items.length, ids.length);
  for (const item of items) await reviewForSigning(stage, api, item, identityId);
  const input = { items, identityId, confirm: items.length };
  const { jobId } = await session.api['signing.sign'](input);
  const job = await followJob(session, jobId, 'Signing');
  const { signed } = SignResult.parse(job.result);
  expectDemoResult(`${api} agreements signed`, signed.length, ids.length);
  await sync(stage, connection);
  for (const id of ids) {
    const { state } = await session.api['agreements.show']({ connectionId, id, refresh: true });
    expectDemoResult(`state of ${id}`, state, 'signed');
  }
  const { chain, entries } = await session.api['evidence.verify']({});
  expectDemoResult('chain of the evidence', chain, 'ok');
  say(
    `${api}: the others signed; we reviewed ${signed.length} and signed them for ` +
      `${demo.company.name}; the evidence has ${entries} entries`,
  );
  return signed.length;
}

/**
 * Reviews the agreement. API v1 provides the documents, which this step reads; for API v2 the user
 * states that they were read in another program.
 */
async function reviewForSigning(
  { session }: Stage,
  api: ApiName,
  { connectionId, id }: AgreementKey,
  identityId: IdentityId,
): Promise<void> {
  const key = { connectionId, id };
  if (api === 'v2') return void (await session.api['signing.markReviewed']({ ...key, identityId }));
  const { jobId } = await session.api['signing.review'](key);
  const { result } = await followJob(session, jobId, 'Fetching documents');
  const { reviewId } = OpenedReview.parse(result);
  await session.api['signing.markReviewed']({ ...key, reviewId, identityId });
}

/** Archives twice. The second run must find every file and download nothing. */
async function archiveTwice(stage: Stage, connection: Connection): Promise<ArchiveResult> {
  const { demo, say } = stage;
  const { api } = connection;
  const first = await runArchive(stage, connection);
  expectDemoResult(`${api} agreements that could not be saved`, first.failed.length, 0);
  expectDemoResult(`${api} agreements saved`, first.saved, first.listed);
  const downloads = () => demo.requests.filter(({ url }) => DOWNLOAD_PATH_PATTERN.test(url)).length;
  const before = downloads();
  const second = await runArchive(stage, connection);
  expectDemoResult(`${api} downloads of the second run`, downloads() - before, 0);
  expectDemoResult(`${api} files already there at the second run`, second.present, first.saved);
  say(`${api}: archived ${count(first.saved, 'PDF')}; a second run downloaded nothing`);
  return first;
}

async function runArchive(stage: Stage, { api, id }: Connection): Promise<ArchiveResult> {
  const { session } = stage;
  const folder = stage.folderFor(api);
  const { jobId } = await session.api['archive.run']({ folder, connectionId: id });
  return ArchiveResult.parse((await followJob(session, jobId, 'Archiving')).result);
}

async function sync({ session }: Stage, { id: connectionId, name }: Connection): Promise<void> {
  const { jobId } = await session.api['agreements.sync']({ connectionId });
  const { connections } = SyncResult.parse((await followJob(session, jobId, 'Reading')).result);
  const failure = connections.find((one) => one.failure !== null)?.failure?.message ?? '';
  expectDemoResult(`${name} could not be read`, failure, '');
}

function countCreateRequests({ demo }: Stage, api: ApiName): number {
  return demo.requests.filter(
    ({ method, url }) => method === 'POST' && CREATE_PATH_PATTERNS[api].test(url),
  ).length;
}

function agreementOf({ remoteId }: OutboxItem): AgreementId {
  if (remoteId === null) throw demoFailure('A sent agreement has no ID');
  return remoteId;
}

function expectDemoResult(what: string, found: unknown, wanted: unknown): void {
  if (found === wanted) return;
  const instead = wanted === '' ? '' : ` instead of ${String(wanted)}`;
  throw demoFailure(`${what}: ${String(found)}${instead}`);
}

function demoFailure(message: string): AppError {
  return new AppError('unexpected', `The demo failed. ${message}`);
}
