import type {
  CopyRow,
  Correction,
  CorrectionPreview,
  CorrectionRow,
  CorrectionsResult,
} from '../../../shared/contract/corrections.ts';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { Party } from '../../../shared/model/agreement.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';
import { reasonAgainst } from '../../../shared/rules/actions/reasons.ts';
import {
  folded,
  type ListedCorrection,
  readCorrections,
} from '../../../shared/rules/corrections/list.ts';
import { readdressed } from '../../../shared/rules/corrections/readdress.ts';
import type { RemindPorts } from '../actions/remind.ts';
import { correctEmail } from '../actions/v1.ts';
import { type AgreementCopyPorts, copyAgreement } from '../drafts/from-agreement.ts';
import type { JobQueue, Progress } from '../job-queue.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { Scheduler, Stores } from '../ports.ts';
import type { OpenAgreement } from '../reminders/ports.ts';
import type { OpenOfV2 } from './ports.ts';
import { titleOf } from '../services/capabilities.ts';

interface CorrectionPorts extends RemindPorts, AgreementCopyPorts {
  readonly stores: RemindPorts['stores'] &
    AgreementCopyPorts['stores'] &
    Pick<Stores, 'reminders' | 'corrections'>;
  readonly scheduler: Scheduler;
  readonly jobs: JobQueue;
  readonly worker: OutboxWorker;
}

/** Agreements read in one step, between which the window is answered. */
const CHUNK = 500;
/** Of API v2, where the request of each is gone through. */
const CHUNK_OF_REQUESTS = 20;

/** A list of addresses, looked for in what is open, and corrected one by one. */
export function createCorrections(ports: CorrectionPorts): HandlersOf<'corrections'> {
  return {
    'corrections.preview': ({ text }) => preview(ports, text),
    'corrections.run': async ({ corrections, notify, confirm }) => {
      requireDistinct(corrections, confirm);
      // One job holds the lock throughout, so that no other process sends between its requests.
      const jobId = ports.jobs.start('correct-addresses', async (signal, report) => {
        const result = await ports.worker.holding(() =>
          correctAll(ports, corrections, notify, signal, report),
        );
        return { result, failure: null };
      });
      return { jobId };
    },
    'corrections.copy': async ({ key, changes }) => {
      if (ports.stores.connections.get(key.connectionId).api !== 'v2') {
        throw new AppError('invalid', 'API v1 corrects an address in the agreement itself');
      }
      const jobId = ports.jobs.start('copy-agreement', async (signal, report) => {
        const change = (content: DraftContent) => readdressed(content, changes);
        const { draft, losses } = await copyAgreement(ports, key, { signal, report }, change);
        return { result: { draft: draft.id, losses }, failure: null };
      });
      return { jobId };
    },
  };
}

async function preview(ports: CorrectionPorts, text: string): Promise<CorrectionPreview> {
  const { stores, scheduler } = ports;
  const { corrections, refused } = readCorrections(text);
  const wanted = new Map(corrections.map((one) => [folded(one.from), one]));
  const rows: CorrectionRow[] = [];
  const ourUsers = new Map<ConnectionId, string | null>();
  for (let after = 0; wanted.size > 0;) {
    const some = stores.reminders.open(after, CHUNK);
    const last = some.at(-1);
    if (last === undefined) break;
    for (const agreement of some) {
      const { connectionId } = agreement;
      if (!ourUsers.has(connectionId)) {
        ourUsers.set(connectionId, stores.ownUsers.find(connectionId));
      }
      rows.push(...rowsOf(agreement, wanted, ourUsers.get(connectionId) ?? null));
    }
    after = last.number;
    await scheduler.yield();
  }
  const { copies, withoutAddresses } = await lookInV2(ports, wanted);
  const found = new Set([...rows, ...copies].map(({ line }) => line));
  const byLine = (one: { line: number }, other: { line: number }) => one.line - other.line;
  return {
    rows: rows.toSorted(byLine),
    copies: copies.toSorted(byLine),
    refused,
    unfound: corrections.filter(({ line }) => !found.has(line)).map(({ line }) => ({ line })),
    withoutAddresses,
  };
}

async function lookInV2(
  { stores, scheduler }: CorrectionPorts,
  wanted: ReadonlyMap<string, ListedCorrection>,
): Promise<Pick<CorrectionPreview, 'copies' | 'withoutAddresses'>> {
  const copies: CopyRow[] = [];
  let withoutAddresses = 0;
  for (let after = 0; wanted.size > 0;) {
    const some = stores.corrections.openOfV2(after, CHUNK_OF_REQUESTS);
    const last = some.at(-1);
    if (last === undefined) break;
    for (const agreement of some) {
      if (agreement.sent === null) withoutAddresses += 1;
      copies.push(...copiesOf(agreement, wanted));
    }
    after = last.number;
    await scheduler.yield();
  }
  return { copies, withoutAddresses };
}

function copiesOf(
  { connectionId, id, title, parties, sent }: OpenOfV2,
  wanted: ReadonlyMap<string, ListedCorrection>,
): readonly CopyRow[] {
  const signed = new Set(
    (parties ?? []).filter(({ state }) => state === 'signed').map(({ name }) => folded(name)),
  );
  const people =
    sent?.map(({ firstName, lastName, email }) => ({
      name: `${firstName} ${lastName}`.trim(),
      email: email === '' ? null : email,
    })) ??
    // Of companies the service gives no person, whom a draft could have an address for.
    (parties ?? [])
      .filter(({ kind }) => kind === 'person')
      .map(({ name }) => ({ name, email: null }));
  return people.flatMap(({ name, email }) => {
    const listed = listedFor({ name, email, isSigned: signed.has(folded(name)) }, wanted);
    if (listed === null) return [];
    const { line, to } = listed;
    return { line, key: { connectionId, id }, title, partyName: name, from: email, to };
  });
}

function rowsOf(
  { connectionId, id, title, state, access, parties }: OpenAgreement,
  wanted: ReadonlyMap<string, ListedCorrection>,
  ourUser: string | null,
): readonly CorrectionRow[] {
  return (parties ?? []).flatMap((party) => {
    const { name, email, kind, state: partyState } = party;
    if (kind === 'my-company') return [];
    const listed = listedFor({ name, email, isSigned: partyState === 'signed' }, wanted);
    if (listed === null) return [];
    const { line, to } = listed;
    return {
      line,
      key: { connectionId, id },
      title,
      partyId: party.id,
      partyName: party.name,
      from: party.email,
      to,
      reason: reasonAgainst('correctEmail', { state, gone: null, access, ourUser }, 'v1'),
    };
  });
}

/** By the address first: it names one person, and a name may be that of several. */
function listedFor(
  { email, name, isSigned }: Pick<Party, 'email' | 'name'> & { readonly isSigned: boolean },
  wanted: ReadonlyMap<string, ListedCorrection>,
): ListedCorrection | null {
  // Whoever has signed is waited for no more.
  if (isSigned) return null;
  for (const one of [email, name]) {
    const listed = one === null ? undefined : wanted.get(folded(one));
    if (listed === undefined) continue;
    const isThere = listed.to !== null && email !== null && folded(listed.to) === folded(email);
    return isThere ? null : listed;
  }
  return null;
}

function requireDistinct(corrections: readonly Correction[], confirm: number): void {
  const distinct = new Set(
    corrections.map(({ key, partyId }) => JSON.stringify([key.connectionId, key.id, partyId])),
  );
  if (confirm === corrections.length && distinct.size === corrections.length) return;
  const message = `${distinct.size} parties are concerned, ${confirm} were confirmed`;
  throw new AppError('invalid', message, { reason: 'count-differs' });
}

/** One after the other; what fails is reported for each, and the others go on. */
async function correctAll(
  ports: CorrectionPorts,
  corrections: readonly Correction[],
  notify: boolean,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<CorrectionsResult> {
  const result: CorrectionsResult = { done: [], failed: [], unknown: [] };
  report({ done: 0, total: corrections.length });
  for (const [at, { key, partyId, from, address }] of corrections.entries()) {
    if (signal.aborted) break;
    const subject = { ...key, title: titleOf(ports.stores, key), partyId };
    try {
      const ended = await correctEmail(ports, { key, partyId, address, notify }, from);
      if (ended.outcome === 'done') result.done.push({ ...subject, notice: ended.notice });
      else if (ended.outcome === 'unknown') {
        result.unknown.push({ ...subject, failure: ended.failure });
      } else result.failed.push({ ...subject, failure: changedMeanwhile });
    } catch (error) {
      const failure = ports.toFailure(error, 'corrections.run');
      result.failed.push({ ...subject, failure });
    }
    report({ done: at + 1, failed: result.failed.length });
  }
  return result;
}

const changedMeanwhile: Failure = new AppError(
  'conflict',
  'It was changed on the service meanwhile; nothing was done',
).failure;
