import type { Capabilities } from '../../shared/contract/connections.ts';
import { ActionId, type ConnectionId } from '../../shared/model/ids.ts';
import type { Language } from '../../shared/model/languages.ts';
import type { Emit } from '../../shared/contract/index.ts';
import type { ToFailure } from '../../shared/wire.ts';
import { ActionJournal } from './actions/journal.ts';
import { ActionRunner } from './actions/runner.ts';
import type { OpenActions } from './services/ports.ts';
import { createActionHandlers } from './actions/handlers.ts';
import { createAgreementHandlers } from './agreements/handlers.ts';
import { createArchiveHandlers } from './archive/handlers.ts';
import { scheduleArchive } from './archive/schedule.ts';
import { ArchiveWork } from './archive/work.ts';
import { markUnknownAfterCopy } from './backup/uncertain.ts';
import { createBackup } from './backup/handlers.ts';
import { DeskMove } from './backup/move.ts';
import type { BackupFiles, DataCopies } from './backup/ports.ts';
import type { ProofPorts } from './backup/restore.ts';
import { scheduleBackups } from './backup/schedule.ts';
import { BackupWork } from './backup/work.ts';
import type { RowChecker } from './batches/ports.ts';
import { recoverBatches } from './batches/run.ts';
import { createBatchHandlers } from './batches/handlers.ts';
import { createServeBytes, type ServeBytes } from './serve-bytes.ts';
import { createConnectionHandlers } from './connections/handlers.ts';
import { createCopyRetention } from './agreements/copy-retention.ts';
import { createCorrectionHandlers } from './corrections/handlers.ts';
import { createDigestHandlers } from './digest/handlers.ts';
import type { DocumentConverter } from './documents/ports.ts';
import { DraftPreparation } from './drafts/prepare.ts';
import { createSendDraft } from './drafts/send.ts';
import type {
  Encoding,
  Chance,
  Clock,
  AgreementReader,
  CopyWriter,
  Scheduler,
  DemoService,
  Files,
  Log,
  OpenService,
  PdfForms,
  Sha256,
  Stores,
  Vault,
} from './ports.ts';
import { createDraftHandlers } from './drafts/handlers.ts';
import type { DataHandlers } from './handlers.ts';
import { createFormHandlers } from './forms/handlers.ts';
import { createIdentityHandlers } from './identities/handlers.ts';
import { createIntakeHandlers } from './intake/handlers.ts';
import type { WatchedFolders } from './intake/ports.ts';
import { scheduleIntake } from './intake/schedule.ts';
import { IntakeWork } from './intake/work.ts';
import { JobQueue } from './job-queue.ts';
import { createNetworkHandlers } from './network/handlers.ts';
import type { DescribeAuthorities, NetworkSettingsStore } from './network/ports.ts';
import { createOutboxHandlers, openStates } from './outbox/handlers.ts';
import type { OnSent, WriterLock } from './outbox/ports.ts';
import { SentReadings } from './drafts/read-sent.ts';
import { DuplicatesWatch } from './outbox/watch.ts';
import { adoptMissing, isAct } from './office/adopt.ts';
import { OfficeApprovalWork } from './office/approvals.ts';
import { createOfficeActs } from './office/acts.ts';
import { OfficeGuard } from './office/guard.ts';
import { OfficeFolders } from './office/folders.ts';
import { OfficeBatches } from './office/batches.ts';
import { DraftEditors } from './office/editors.ts';
import { ServiceHints } from './office/hints.ts';
import { OfficeHandoverWork } from './office/handovers.ts';
import { createOfficeHandlers } from './office/handlers.ts';
import { createOfficeEvidenceEnds } from './office/evidence-ends.ts';
import { OfficeExchange } from './office/items/exchange.ts';
import type { Offices, OpenOffice } from './office/ports.ts';
import { OfficeRestoreReports } from './office/put-back.ts';
import { OfficeReminderCopies } from './office/reminded.ts';
import { OfficeSession } from './office/session.ts';
import { OfficeTasks } from './office/tasks.ts';
import { FirstCheck } from './outbox/first-check.ts';
import { createOutboxWork, type OutboxDeps, type OutboxWork } from './outbox/outbox.ts';
import type { ByteExchange } from './host-ports.ts';
import { createPeopleHandlers } from './people/handlers.ts';
import { createPrivacyHandlers } from './privacy/handlers.ts';
import { DeferredCompaction } from './privacy/later.ts';
import type { DataSpace, LogFiles } from './privacy/ports.ts';
import { Retention } from './privacy/retention.ts';
import { createReminderHandlers } from './reminders/handlers.ts';
import { scheduleReminders } from './reminders/schedule.ts';
import { ReminderWork } from './reminders/work.ts';
import type { CardReader } from './people/ports.ts';
import type { ReportWriter } from './reports/ports.ts';
import { createBoardHandlers } from './board/handlers.ts';
import type { BoardReader } from './board/ports.ts';
import { createReportHandlers } from './reports/handlers.ts';
import { EventBus } from './event-bus.ts';
import type { Schedule } from './rules/every-minute.ts';
import { deactivationOf } from './deactivation.ts';
import { createEvidenceHandlers } from './evidence/handlers.ts';
import { createEvidenceWork } from './evidence/evidence.ts';
import type { Origin, StatementPrinter } from './evidence/ports.ts';
import { createSavedFileHandlers } from './bytes/saved-files.ts';
import { createServices } from './services/services.ts';
import { createSampleHandlers } from './samples/handlers.ts';
import { createSettingsHandlers } from './settings.ts';
import { createSignAll } from './signing/sign.ts';
import { createSigningHandlers } from './signing/handlers.ts';
import { SigningReviews } from './signing/reviews.ts';
import { Sync } from './sync/handlers.ts';
import { scheduleSync } from './sync/schedule.ts';
import type { SheetReader } from './sheet-ports.ts';
import { createDataExportHandlers } from './takeout/handlers.ts';
import { createTemplateHandlers } from './templates/handlers.ts';
import { Updates } from './updates/handlers.ts';
import type { Updater, UpdateSource } from './updates/ports.ts';
import { createUploadHandlers } from './uploads/handlers.ts';
import type { ExternalState } from './external-state-ports.ts';

export interface DeskPorts extends OutboxDeps {
  readonly stores: Stores;
  readonly copies: CopyWriter;
  /** Runs the queries of agreement lists on another thread, so that the main loop stays free. */
  readonly lists: AgreementReader;
  /** Counts for the board, on another thread too. */
  readonly board: BoardReader;
  readonly vault: Vault;
  readonly externalState: ExternalState;
  readonly lock: WriterLock;
  /** Lock of the archive: only the process that holds it runs the archive. */
  readonly archiveLock: WriterLock;
  /** Lock of the backups: only the process that holds it makes a backup. */
  readonly backupLock: WriterLock;
  readonly backupFiles: BackupFiles;
  readonly dataCopies: DataCopies;
  readonly space: DataSpace;
  readonly logFiles: LogFiles;
  /** Folders in which a backup is opened for verification. */
  readonly backupPlaces: ProofPorts['places'];
  readonly openService: OpenService;
  readonly openActions: OpenActions;
  readonly demo: DemoService;
  readonly capabilities: readonly Capabilities[];
  readonly profile: 'own' | 'demo';
  readonly files: Files;
  readonly watched: WatchedFolders;
  /**
   * Code for offices; loaded when the user creates or joins an office, or if this computer belongs
   * to one.
   */
  readonly offices: () => Promise<Offices>;
  readonly pdf: PdfForms;
  readonly documents: DocumentConverter;
  readonly sha256: Sha256;
  readonly encoding: Encoding;
  readonly origin: Origin;
  readonly updateSource: UpdateSource;
  readonly networkSettings: NetworkSettingsStore;
  readonly describeAuthorities: DescribeAuthorities;
  readonly updater: Updater;
  readonly version: string;
  readonly language: () => Language;
  readonly printer: StatementPrinter;
  readonly reports: ReportWriter;
  readonly sheets: { readonly reader: SheetReader; readonly checks: RowChecker };
  readonly cards: CardReader;
  readonly bytes: ByteExchange;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly log: Log;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

export interface OpenDesk {
  readonly handlers: DataHandlers;
  readonly serveBytes: ServeBytes;
  /** Repairs the state that an earlier run left. Sends nothing. */
  recover(): void;
  /**
   * Checks whether this data was restored, copied or moved, before anything runs. If so, waiting
   * rows and all rules require a decision by the user. If the check fails, nothing runs
   * automatically until it succeeds.
   */
  check(): Promise<void>;
  /** Starts sending due rows and syncing all connections repeatedly. */
  start(): void;
  /** Called after another process changed the data. */
  wake(): void;
  /** Called when the computer is about to sleep. */
  sleepSoon(): void;
  /** Called when the computer woke up. */
  wokeUp(): void;
  /** Ends every job and request; requests in flight get a few seconds. */
  stop(): Promise<void>;
}

export function createOpenDesk(deps: DeskPorts): OpenDesk {
  const { stores, clock } = deps;
  const stopping = new AbortController();
  let endSync: (() => Promise<void>) | null = null;

  const readSoon = (id: ConnectionId): void => {
    if (endSync !== null) sentReadings.refresh(id);
  };
  const onSent: OnSent = (id, made) => {
    parts.hints.changed(id);
    if (endSync !== null) sentReadings.refresh(id);
    // A command notes the agreement, and reads all sent agreements once at the end of its run.
    else if (made !== null) sentReadings.note(id, made.remoteId);
  };
  const parts = createParts(deps, onSent, readSoon);
  const sentReadings = new SentReadings(parts, stopping.signal);
  const ports = { ...parts, readSent: () => sentReadings.read() };
  const { worker, services, jobs, actionRunner } = ports;
  const archiving = scheduleArchive(ports);
  const schedules = schedulesOf(ports, archiving);
  const tended = withPeriodicWork(ports, archiving, stopping.signal);
  const firstCheck = new FirstCheck(ports);

  return {
    handlers: createFeatures(ports),
    serveBytes: createServeBytes(ports),
    recover() {
      if (!worker.hold()) return;
      try {
        ports.actionJournal.recover();
        ports.intents.settleAll();
        recoverBatches({ stores, clock });
      } finally {
        worker.release();
      }
    },
    check: () => firstCheck.run(),
    start() {
      endSync = scheduleSync({
        sync: tended,
        stores,
        services,
        clock,
        isAtRest: () => deactivationOf(stores) !== null,
        onSlept: () => worker.wokeUp(),
      });
      worker.start();
      firstCheck.whenKnown(() => {
        for (const schedule of schedules) schedule.begin();
      });
      ports.later.begin();
      void ports.anchors.begin();
      ports.exchange.begin();
      ports.room.begin((office) => exchangeWithOffice(ports, office));
    },
    wake() {
      worker.wake();
      ports.updates.wake();
      emitAllChanged(stores, ports.emit);
    },
    sleepSoon: () => worker.sleepSoon(),
    wokeUp: () => worker.wokeUp(),
    async stop() {
      stopping.abort();
      firstCheck.end();
      for (const schedule of schedules) schedule.end();
      const { reader, checks } = deps.sheets;
      const ends = [endSync?.(), jobs.stop(), worker.stop(), actionRunner.stop()];
      await Promise.all([...ends, sentReadings.ended(), reader.close(), checks.close()]);
      ports.hints.end();
      await ports.exchange.end();
      await ports.room.end(() => reportLast(ports));
      await ports.anchors.end();
      await ports.later.end();
    },
  };
}

function schedulesOf(ports: FeaturePorts, archiving: Schedule): readonly Schedule[] {
  return [
    archiving,
    ports.updates,
    scheduleReminders(ports),
    scheduleIntake(ports),
    scheduleBackups(ports),
    ports.retention.schedule(),
  ];
}

/** Sends the reports that the office still needs before the program ends. */
async function reportLast(ports: FeaturePorts): Promise<void> {
  const { office, editors, officeBatches, approvals, handovers } = ports;
  await Promise.all([office.reported(), editors.end(), officeBatches.end()]);
  await Promise.all([approvals.ended(), handovers.ended()]);
}

/** On each connection to the office: reports own work and fetches the work of other computers. */
async function exchangeWithOffice(ports: FeaturePorts, opened: OpenOffice): Promise<void> {
  const { putBack, reminded, exchange, officeBatches } = ports;
  await putBack.tell(opened);
  await reconcile(ports, opened);
  await reminded.refresh();
  await exchange.quietly();
  await officeBatches.quietly();
}

/**
 * Reports the outcome of this computer's sends to the office, and adopts those of its sends that
 * only the office still has.
 */
async function reconcile(
  ports: Parameters<typeof adoptMissing>[0] &
    Pick<OutboxWork<OfficeGuard>, 'office' | 'worker'> &
    Pick<DeskPorts, 'emit'>,
  { joined }: OpenOffice,
): Promise<void> {
  const { office, worker, stores, emit } = ports;
  const adopted = await adoptMissing(ports, joined, await office.reconcile(joined));
  if (adopted.length === 0) return;
  worker.wake();
  emit('office.changed', {});
  for (const { id } of adopted.filter(isAct)) {
    const { connectionId } = stores.actions.get(ActionId.parse(id));
    emit('actions.changed', { connectionId });
  }
}

/**
 * Returns the sync extended by other periodic work after each run: syncs repeat while the window is
 * open.
 */
function withPeriodicWork(
  { sync, care, anchors }: FeaturePorts,
  archiving: ReturnType<typeof scheduleArchive>,
  stopping: AbortSignal,
): Pick<Sync, 'run'> {
  return {
    async run(...reading) {
      const outcome = await sync.run(...reading);
      await care.tend(stopping);
      if (stopping.aborted) return outcome;
      archiving.afterReading();
      void anchors.keep();
      return outcome;
    },
  };
}

/** Creates the objects that send agreements; they claim each send in the office first. */
function createSending(
  common: DeskPorts & { readonly onSent: OnSent; readonly exchange: () => OfficeExchange },
) {
  const room: OfficeSession = new OfficeSession({
    ...common,
    trusted: () => work.epoch.check(),
    reached: async (office) => {
      await putBack.tell(office);
      await reconcile({ ...common, ...work }, office);
    },
  });
  const guarded = { ...common, joined: () => room.joined() };
  const acts = createOfficeActs(guarded);
  const work = createOutboxWork({
    ...common,
    services: createServices({
      ...common,
      connections: common.stores.connections,
      settings: common.stores.settings,
      hearClock: (id, serverTime) => work.gates.noteServerTime(id, serverTime),
    }),
    guardSends: (parts) => new OfficeGuard({ ...guarded, ...parts }),
    onDistrust: () => markUnknownAfterCopy(common),
  });
  const putBack = new OfficeRestoreReports({ ...common, ...work });
  const tasks = new OfficeTasks(guarded);
  const reminded = new OfficeReminderCopies(guarded);
  const folders = new OfficeFolders({ ...guarded, tasks });
  return { ...work, acts, room, putBack, tasks, reminded, folders };
}

/** Creates the objects that exist as long as the data is open. */
function createParts(deps: DeskPorts, onSent: OnSent, readSoon: (id: ConnectionId) => void) {
  const { stores } = deps;
  const events = new EventBus(deps.emit, (error) => void deps.toFailure(error, 'events'));
  const announcing = { ...deps, events, emit: events.emit };
  const proof = createEvidenceWork(announcing);
  const common = { ...announcing, hooks: proof.hooks };
  const work = createSending({ ...common, onSent, exchange: () => shared.exchange });
  const shared: ReturnType<typeof createShared> = createShared({
    ...common,
    ...proof,
    ...work,
    readSoon,
  });
  const { transitions, worker, services, acts, gates } = work;
  const jobs = new JobQueue(common);
  const onDone = (id: ConnectionId): void => shared.hints.changed(id);
  const actionJournal = new ActionJournal({ ...common, ...proof, acts, onDone });
  const doubles = new DuplicatesWatch({ ...common, ...work });
  const linkToAgreements = async (id: ConnectionId, signal: AbortSignal) => {
    transitions.linkToAgreements(id, 'sync');
    actionJournal.linkToAgreements(id);
    await doubles.check(id, signal);
    worker.wake();
  };
  const sync = new Sync({ ...common, services, gates, linkToAgreements });
  const actionRunner = new ActionRunner({ ...common, ...proof, ...work, actionJournal });
  const reviews = new SigningReviews({ ...common, ...proof, services });
  const retention = new Retention(common);
  const later = new DeferredCompaction(common);
  const care = createCopyRetention({
    ...common,
    retire: async (signal) => void (await retention.apply(['copies'], signal)),
  });
  const archiveWork = new ArchiveWork({ ...common, ...work, ...proof, services });
  const intakeWork = new IntakeWork({ ...common, ...work });
  const backupWork = new BackupWork(common);
  const deskMove = new DeskMove({
    ...common,
    ...work,
    ...proof,
    actionRunner,
    backupWork,
    jobs,
  });
  const backUp = () => {
    if (!backupWork.mayRun) return;
    jobs.start('make-backup', (signal, report) => backupWork.run(signal, report));
  };
  const updates = new Updates({ ...common, updates: stores.updates, jobs, onPrepared: backUp });
  const reminderWork = new ReminderWork({
    ...common,
    ...work,
    actionJournal,
    actionRunner,
    sync,
  });
  const done = {
    jobs,
    linkToAgreements,
    sync,
    care,
    retention,
    later,
    actionJournal,
    actionRunner,
    reviews,
    archiveWork,
    intakeWork,
    updates,
    backupWork,
    deskMove,
    reminderWork,
  };
  return { ...common, ...work, ...proof, ...shared, ...done };
}

/** Creates the objects that exchange local changes with the office. */
function createShared(
  ports: Omit<ConstructorParameters<typeof OfficeExchange>[0], 'hinted'> &
    ConstructorParameters<typeof ServiceHints>[0] &
    ConstructorParameters<typeof OfficeApprovalWork>[0] &
    Omit<ConstructorParameters<typeof DraftEditors>[0], 'exchange'> &
    Omit<ConstructorParameters<typeof OfficeHandoverWork>[0], 'editors'> &
    ConstructorParameters<typeof OfficeBatches>[0] &
    Pick<ReturnType<typeof createEvidenceWork>, 'anchors'> & {
      readonly events: Pick<EventBus, 'onAny'>;
    },
) {
  const hints = new ServiceHints(ports);
  const hinted = (service: string): void => void hints.heard(service);
  const exchange = new OfficeExchange({ ...ports, hinted });
  const approvals = new OfficeApprovalWork(ports);
  const editors = new DraftEditors({ ...ports, exchange });
  const handovers = new OfficeHandoverWork({ ...ports, editors });
  const officeBatches = new OfficeBatches(ports);
  ports.events.onAny((name) => {
    exchange.noticed(name);
    officeBatches.noticed(name);
    if (name !== 'office.exchanged') return;
    void approvals.takeQuietly();
    void handovers.follow();
  });
  ports.anchors.keepAlsoIn(createOfficeEvidenceEnds(ports.room));
  return { exchange, approvals, editors, handovers, officeBatches, hints };
}

/** Emits all change events: any data may have changed, so all views have to read again. */
function emitAllChanged(
  { connections, drafts, outbox, templates, batches }: Stores,
  emit: Emit,
): void {
  emit('connections.changed', {});
  emit('settings.changed', {});
  emit('identities.changed', {});
  emit('reminders.changed', {});
  emit('intake.changed', {});
  emit('backup.changed', {});
  emit('office.changed', {});
  for (const { id } of connections.list()) {
    emit('agreements.changed', { connectionId: id, added: 0, changed: 0 });
    emit('actions.changed', { connectionId: id });
  }
  emit('people.changed', {});
  for (const id of drafts.ids()) emit('drafts.changed', { id });
  for (const { id } of templates.list()) emit('templates.changed', { id });
  for (const { id } of batches.list()) emit('batches.changed', { id });
  for (const state of openStates) {
    for (const { ref } of outbox.inState(state)) emit('outbox.changed', { ref });
  }
}

type FeaturePorts = ReturnType<typeof createParts> & { readonly readSent: () => Promise<void> };

function createFeatures(ports: FeaturePorts): DataHandlers {
  const { stores, clock, emit, chance } = ports;
  const preparation = new DraftPreparation(ports);
  const send = createSendDraft({ ...ports, preparation });
  const signAll = createSignAll(ports);
  const actions = createActionHandlers(ports);
  const drafts = ports.editors.guard(createDraftHandlers({ ...ports, preparation, send }));
  const fieldValues = actions['actions.fieldValues'];
  const templates = createTemplateHandlers({ ...ports, drafts, fieldValues });
  const batches = createBatchHandlers(ports);
  return {
    ...createSettingsHandlers({ settings: stores.settings, office: stores.office, emit }),
    ...createFormHandlers(ports),
    ...ports.jobs.handlers,
    ...createConnectionHandlers(ports),
    ...createAgreementHandlers(ports),
    ...actions,
    ...createUploadHandlers(ports),
    ...drafts,
    ...createPeopleHandlers(ports),
    ...templates,
    ...createOfficeHandlers(ports),
    ...createOutboxHandlers(ports),
    ...createIdentityHandlers({ identities: stores.identities, chance, clock, emit }),
    ...createSigningHandlers({ ...ports, signAll }),
    ...createEvidenceHandlers(ports),
    ...createArchiveHandlers(ports),
    ...createReminderHandlers(ports),
    ...createCorrectionHandlers(ports),
    ...createDigestHandlers(ports),
    ...createIntakeHandlers(ports),
    ...createBackup(ports),
    ...createDataExportHandlers(ports),
    ...createPrivacyHandlers({ ...ports, holding: (work) => ports.worker.holding(work) }),
    ...batches,
    ...createSampleHandlers({ ...ports, templates, batches }),
    ...createReportHandlers(ports),
    ...createBoardHandlers(ports),
    ...createSavedFileHandlers(ports),
    ...ports.updates.handlers,
    ...createNetworkHandlers(ports),
  };
}
