import * as z from 'zod';
import { AgreementId, ConnectionId, OutboxRef } from '../../../../shared/model/ids.ts';
import { OutboxAttempt, OutboxItem, OutboxState } from '../../../../shared/contract/outbox.ts';
import { AppError } from '../../../../shared/errors.ts';
import type {
  AttemptClaim,
  FrozenRequest,
  NewOutboxItem,
  OutboxMove,
  OutboxStore,
  AtKillPoint,
  StoredItem,
} from '../../../core/outbox/ports.ts';
import { blobColumn, failureColumn, flagColumn, jsonColumn } from '../database/columns.ts';
import type { Database, Parameters as SqlParameters } from '../database/database.ts';
import { createBatchStore } from './batch-store.ts';
import { createOutboxJournal, type OutboxJournal, PROGRAM_ACTOR } from './journal.ts';
import { createProofStore } from './scan-store.ts';
import { insertRow, jsonOrNull, newRow, rowQuery } from './row.ts';
import * as sql from './sql.ts';
import { sha256 } from '../database/sha256.ts';
import { damagedRowError } from '../database/storage-errors.ts';

const UploadRow = z.object({
  place: z.number().int(),
  name: z.string(),
  token: z.string().nullable(),
});

const RequestRow = z.object({
  body: blobColumn,
  sha256: z.string(),
  target: jsonColumn(
    z.object({
      agreementId: OutboxItem.shape.remoteId.unwrap(),
      partyId: z.string(),
      configurationId: z.string(),
    }),
  ).nullable(),
  signedAt: z.number().nullable(),
});

const SuspectRow = z.object({ ref: OutboxRef, remoteId: AgreementId });

const AttemptRow = OutboxAttempt.extend({
  left: flagColumn,
  failure: failureColumn.nullable(),
  floor: z.number(),
  credential: z.string(),
});

/**
 * Creates the outbox. `atKillPoint` is called at moments inside a transaction; only tests pass it.
 */
export function createOutboxStore(
  database: Database,
  atKillPoint: AtKillPoint = () => undefined,
): OutboxStore {
  const journal = createOutboxJournal(database);
  const half = () => atKillPoint('inside-arm');
  const rows = prepareRows(database);
  const write = createMoveWriter(database, journal, atKillPoint);
  const get = (ref: OutboxRef): StoredItem => rows.one.first({ ref }) ?? throwMissingOutboxRow(ref);

  return {
    ...createBatchStore(database, journal, half),
    ...createProofStore(database),
    ...createReading(database, rows, get),
    ...createUploadStore(database),
    journal: journal.of,
    wasInDoubt: journal.wasInDoubt,
    journalBreak: journal.firstBreak,
    insert: (entry, at) => {
      database.transaction(() => {
        write.insert(entry, { state: 'queued', batchId: null, policy: 'ask', at });
      });
    },
    stage: (batchId, entry, at) =>
      database.transaction(() =>
        write.insert(entry, { state: 'staged', batchId, policy: 'ask', at }),
      ),
    ...createChanges(database, write, get),
  };
}

/** Changes existing rows, each in its own transaction or in the caller's. */
function createChanges(
  database: Database,
  write: ReturnType<typeof createMoveWriter>,
  get: OutboxStore['get'],
): Pick<OutboxStore, 'claim' | 'move' | 'setTimes' | 'apply'> {
  return {
    claim: (ref, claim) => database.transaction(() => write.claim(get(ref), claim)),
    move: (ref, from, change, at) =>
      database.transaction(() => {
        const found = get(ref);
        return from.includes(found.state) && write.move(found, change, at);
      }),
    setTimes: (times, at) => {
      const step = { to: 'queued', cause: 'person', actor: 'person', reason: null } as const;
      database.transaction(() => {
        for (const [ref, nextAt] of times) {
          const found = get(ref);
          const chosenAt = found.isScheduled ? nextAt : null;
          if (found.state === 'queued') write.move(found, { ...step, nextAt, chosenAt }, at);
        }
      });
    },
    // The row's version is checked, so that later changes are not overwritten.
    apply: (item, change, at) => database.transaction(() => write.move(item, change, at)),
  };
}

type RowStatements = ReturnType<typeof prepareRows>;

const prepareRows = (database: Database) => ({
  one: rowQuery(database, sql.where.one),
  list: rowQuery(database, sql.where.list),
  inBatch: rowQuery(database, sql.where.inBatch),
  inState: rowQuery(database, sql.where.inState),
  due: rowQuery(database, sql.where.due),
  inDoubt: rowQuery(database, sql.where.inDoubt),
  canaries: rowQuery(database, sql.where.canaries),
  boundTo: rowQuery(database, sql.where.boundTo),
  sentBefore: rowQuery(database, sql.where.sentBefore),
  lastOf: rowQuery(database, sql.where.lastOf),
  replacing: rowQuery(database, sql.where.replacing),
});

type OutboxReadMethods = Pick<
  OutboxStore,
  | 'list'
  | 'inBatch'
  | 'inState'
  | 'get'
  | 'request'
  | 'due'
  | 'nextDue'
  | 'inDoubt'
  | 'scanTimes'
  | 'attempts'
  | 'canaries'
  | 'watchEnd'
  | 'suspects'
  | 'boundTo'
  | 'sentBefore'
  | 'lastOf'
  | 'replacing'
  | 'replacedOpen'
>;

function createReading(
  database: Database,
  rows: RowStatements,
  get: OutboxStore['get'],
): OutboxReadMethods {
  const request = database.query(sql.request, RequestRow);
  const attempts = database.query(sql.attempts, AttemptRow);
  const watchEnd = database.query(sql.watchEnd, z.object({ at: z.number() }));
  const suspects = database.query(sql.suspects, SuspectRow);
  const nextDue = database.query(sql.nextDue, z.object({ at: z.number().nullable() }));
  const replacedOpen = database.query(sql.replacedOpen, z.object({ state: OutboxState }));
  const scanTimes = database.query(sql.scanTimes, z.object({ id: ConnectionId, at: z.number() }));
  return {
    get,
    list: (since) => rows.list.all({ since }),
    inBatch: (batchId) => rows.inBatch.all({ batchId }),
    inState: (state) => rows.inState.all({ state }),
    request: (ref) => readFrozenRequest(request.first({ ref }) ?? throwMissingOutboxRow(ref)),
    due: (now, limit) => rows.due.all({ now, limit }),
    nextDue: (now) => nextDue.first({ now })?.at ?? null,
    inDoubt: (connectionId) => rows.inDoubt.all({ connectionId }),
    scanTimes: () => new Map(scanTimes.all().map(({ id, at }) => [id, at])),
    attempts: (ref) => attempts.all({ ref }),
    canaries: (connectionId, since, limit) => rows.canaries.all({ connectionId, since, limit }),
    watchEnd: (from) => watchEnd.first({ from })?.at ?? null,
    suspects: (connectionId, since, { from, until }) =>
      suspects.all({ ...since, connectionId, from, until: until ?? Number.MAX_SAFE_INTEGER }),
    boundTo: (connectionId, remoteId) => rows.boundTo.first({ connectionId, remoteId }) ?? null,
    sentBefore: (fingerprints, draftIds, since) =>
      rows.sentBefore.all({
        fingerprints: JSON.stringify(fingerprints),
        draftIds: JSON.stringify(draftIds),
        since,
      }),
    lastOf: (draftIds) => rows.lastOf.first({ draftIds: JSON.stringify(draftIds) }) ?? null,
    replacing: (ref) => rows.replacing.all({ ref }),
    replacedOpen: (ref) => replacedOpen.first({ ref })?.state ?? null,
  };
}

type UploadMethods = Pick<OutboxStore, 'uploads' | 'uploadData' | 'setToken' | 'complete'>;

function createUploadStore(database: Database): UploadMethods {
  const uploads = database.query(sql.uploads, UploadRow);
  const uploadData = database.query(sql.uploadData, z.object({ data: blobColumn }));
  const setToken = database.command(sql.setToken);
  const complete = database.command(sql.complete);
  return {
    uploads: (ref) => uploads.all({ ref }),
    uploadData: (ref, place) =>
      uploadData.first({ ref, place })?.data ?? throwMissingOutboxRow(ref),
    setToken: (ref, place, token) => {
      setToken({ ref, place, token });
    },
    complete: (ref, body) => complete({ ref, body, sha256: sha256(body) }) > 0,
  };
}

/** Writes rows in the caller's transaction, each with its journal entry. */
function createMoveWriter(database: Database, journal: OutboxJournal, atKillPoint: AtKillPoint) {
  const insert = database.command(insertRow);
  const insertFile = database.command(sql.insertFile);
  const claim = database.command(sql.claim);
  const beginAttempt = database.command(sql.beginAttempt);
  const endAttempt = database.command(sql.endAttempt);
  const move = database.command(sql.move);
  const dropFiles = database.command(sql.dropFiles);
  return {
    insert(entry: NewOutboxItem, context: Parameters<typeof newRow>[1]): void {
      const { ref } = entry.item;
      insert(newRow(entry, context));
      for (const [place, { name, data }] of entry.uploads.entries()) {
        insertFile({ ref, place, name, data });
      }
      if (context.state === 'staged') return;
      const cause = entry.shown === undefined ? 'person' : 'again';
      const step = { from: null, to: context.state, cause, actor: 'person' } as const;
      journal.write({ at: context.at, ref, ...step, shown: entry.shown });
    },
    claim(found: StoredItem, { at, floor, credential }: AttemptClaim) {
      const { ref, version } = found;
      if (found.state !== 'queued' || found.progress !== undefined) return false;
      beginAttempt({ ref, at, floor, credential });
      if (claim({ ref, at, version }) === 0) return false;
      atKillPoint('inside-claim');
      const step = { from: 'queued', to: 'sending', cause: 'claim', actor: PROGRAM_ACTOR } as const;
      journal.write({ at, ref, ...step, shown: undefined });
      return true;
    },
    move(found: StoredItem, change: OutboxMove, at: number): boolean {
      const { ref, version, state: from } = found;
      const {
        to,
        cause,
        actor = PROGRAM_ACTOR,
        isUncounted = false,
        reason = found.reason,
      } = change;
      if (move({ ...changedParameters(found, change), ref, version, to, at }) === 0) return false;
      const failure = jsonOrNull(reason);
      endAttempt({ ref, to, at, failure, headersSent: isUncounted ? 0 : 1 });
      if (to === 'sent') atKillPoint('inside-sent');
      const isResend = to === 'queued' && (from === 'absent' || from === 'human');
      if (isResend) atKillPoint('inside-resend');
      journal.write({ at, ref, from, to, cause, actor, shown: change.shown });
      if (to !== 'queued') dropFiles({ ref });
      return true;
    },
  };
}

function changedParameters(found: StoredItem, change: OutboxMove): SqlParameters {
  const { remoteId = found.remoteId, nextAt = found.nextAt, reason = found.reason } = change;
  const { verify = found.verify, isUncounted = false, chosenAt = found.chosenAt } = change;
  const track = { ...found.track, ...change.track };
  return {
    ...track,
    remoteId,
    nextAt,
    chosenAt,
    reason: jsonOrNull(reason),
    verify: verify ? 1 : 0,
    uncounted: isUncounted ? 1 : 0,
  };
}

function readFrozenRequest({
  sha256: expected,
  ...frozen
}: z.infer<typeof RequestRow>): FrozenRequest {
  if (sha256(frozen.body) !== expected) throw damagedRowError('a request');
  return frozen;
}

function throwMissingOutboxRow(ref: OutboxRef): never {
  throw new AppError('not-found', `The outbox has no send ${ref}`);
}
