import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  CompactionResult,
  RetentionKind,
  type RetentionPeriod,
  RetentionResult,
  type RetentionPreview,
} from '../../../../../shared/contract/privacy.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { toIsoText } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { pairs, table } from '../../output/text.ts';
import { type AddCommands, example, type Runner } from '../../session/group.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import type { Session } from '../../session/session.ts';

const MEGABYTE = 1_000_000;
const NO_LIMIT_WORD = 'forever';
const MAX_DAYS = 36_500;

type WrittenLimit = number | typeof NO_LIMIT_WORD;
type WrittenLimits = Readonly<Partial<Record<RetentionKind, WrittenLimit>>>;

const retentionKindNames = {
  copies: 'copies of closed agreements',
  trash: 'drafts and templates in the trash',
  sent: 'sent drafts, kept for copying',
  sheets: 'spreadsheets of finished batches',
  logs: 'lines of the log',
} as const satisfies Record<RetentionKind, string>;

const retentionUnits = {
  copies: 'months',
  trash: 'days',
  sent: 'days',
  sheets: 'days',
  logs: 'days',
} as const;

/** `privacy show`: shows how long each kind of data is kept, and what would be erased now. */
async function showRetention({ api }: Session): Promise<Answer> {
  const limits = await api['privacy.limits']({});
  const { restoredAt } = await api['settings.read']({});
  const shown = previewAnswer(await api['privacy.preview']({ limits }));
  if (restoredAt === null) return shown;
  const why = `Paused since ${toIsoText(restoredAt) ?? ''}: this data was restored, copied or moved.`;
  const next = 'Before `privacy resume`, no data is removed and no daily summary is given.';
  return answer(
    { ...shown.value, pausedSince: toIsoText(restoredAt) },
    `${shown.text}\n${why} ${next}`,
  );
}

/** `privacy keep`: sets new limits. Without `--confirm`, only shows their effect. */
async function setRetention(
  { api }: Session,
  written: WrittenLimits,
  confirm: boolean,
): Promise<Answer> {
  const limits: Partial<Record<RetentionKind, RetentionPeriod>> = {};
  for (const kind of RetentionKind.options) {
    const limit = written[kind];
    if (limit !== undefined) limits[kind] = limit === NO_LIMIT_WORD ? null : limit;
  }
  if (Object.keys(limits).length === 0) {
    throw new AppError('invalid', 'Nothing was changed. Add a period in days, such as --sheets 90');
  }
  if (confirm) await api['privacy.setLimits']({ limits });
  const shown = previewAnswer(await api['privacy.preview']({ limits }));
  const said = confirm
    ? 'The periods are stored. Old data is removed in the background and by run-due, or now with `privacy apply`.'
    : 'Nothing was changed. Add --confirm to store these periods.';
  return answer({ ...shown.value, stored: confirm }, `${shown.text}\n${said}`);
}

export async function applyRetention(
  session: Session,
  kinds: readonly RetentionKind[] = RetentionKind.options,
): Promise<Answer> {
  const { jobId } = await session.api['privacy.apply']({ kinds: [...kinds] });
  const job = await followJob(session, jobId, 'Removing what is old');
  const { removed } = RetentionResult.parse(job.result);
  const rows = kinds.map((kind) => [retentionKindNames[kind], String(removed[kind])] as const);
  return answer({ removed }, pairs(rows), exitOfJob(job, exits.done));
}

/** Erases data beyond its limits, for a scheduler's run; null if there is no such data. */
export async function runDueRetention(session: Session): Promise<Answer | null> {
  if ((await session.api['settings.read']({})).restoredAt !== null) return null;
  const limits = await session.api['privacy.limits']({});
  const due = await session.api['privacy.preview']({ limits });
  const kinds = due.filter(({ number }) => number > 0).map(({ kind }) => kind);
  return kinds.length === 0 ? null : applyRetention(session, kinds);
}

/**
 * `privacy resume`: resumes erasing after the user confirmed that restored, copied or moved data is
 * used on this computer.
 */
async function resumeAfterRestore({ api }: Session): Promise<Answer> {
  const { restoredAt } = await api['settings.read']({});
  if (restoredAt === null) return answer({ resumed: false }, 'Nothing is paused.');
  await api['settings.write']({ restoredAt: null });
  const text = 'Removal of old data and the daily summary are turned on again.';
  return answer({ resumed: true }, text);
}

async function showSizes({ api }: Session): Promise<Answer> {
  const found = await api['privacy.sizes']({});
  const rows = found.kinds.map(({ kind, number, bytes }) => [
    kind,
    String(number),
    megabytes(bytes),
  ]);
  const free = found.diskBytes === null ? '' : ` Free on the disk: ${megabytes(found.diskBytes)}.`;
  const text = `${table(['KIND', 'NUMBER', 'SIZE'], rows, '')}
Data file: ${megabytes(found.fileBytes)}, of which unused: ${megabytes(found.freeBytes)}. Log: ${megabytes(found.logBytes)}.${free}`;
  return answer(found, text);
}

/**
 * `privacy compact`: compacts the data. Without `--confirm`, only shows the space that this would
 * free and the space that it needs.
 */
async function compactDataFile(session: Session, confirm: boolean): Promise<Answer> {
  if (!confirm) {
    const { fileBytes, freeBytes, diskBytes, inSteps } = await session.api['privacy.sizes']({});
    const need = inSteps ? 0 : fileBytes - freeBytes;
    const text = `Would free ${megabytes(freeBytes)} of ${megabytes(fileBytes)}. ${
      inSteps
        ? 'This is done in small steps.'
        : `The file is rewritten: this needs ${megabytes(need)} of memory, and the same on the disk.`
    } Nothing was changed. Add --confirm to do it.`;
    return answer({ fileBytes, freeBytes, diskBytes, inSteps, needBytes: need }, text);
  }
  const { jobId } = await session.api['privacy.compact']({});
  const job = await followJob(session, jobId, 'Compacting');
  const done = CompactionResult.parse(job.result);
  const text = `Compacted: ${megabytes(done.before)} before, ${megabytes(done.after)} now.`;
  return answer(done, text, exitOfJob(job, exits.done));
}

function previewAnswer(previews: readonly RetentionPreview[]): Answer {
  const rows = previews.map(({ kind, limit, number, bytes, oldest, stays }) => [
    kind,
    limit === null ? NO_LIMIT_WORD : `${limit} ${retentionUnits[kind]}`,
    String(number),
    megabytes(bytes),
    oldest === null ? '-' : (toIsoText(oldest)?.slice(0, 10) ?? '-'),
    stays.map((one) => `${one.number} ${one.why}`).join(', ') || '-',
  ]);
  const value = previews.map(({ oldest, ...one }) => ({
    ...one,
    unit: retentionUnits[one.kind],
    oldest: toIsoText(oldest),
  }));
  const text = table(['KIND', 'STAYS FOR', 'GOES NOW', 'SIZE', 'OLDEST', 'STAYS'], rows, '');
  return answer({ kinds: value }, text);
}

const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/**
 * Parses a limit. Returns a text even for no limit, because Commander treats null as a missing
 * value.
 */
function parseLimit(text: string): WrittenLimit {
  if (text === NO_LIMIT_WORD) return text;
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(
    `Write a number from 1 to ${String(MAX_DAYS)}, or ${NO_LIMIT_WORD}.`,
  );
}

function addKeepCommand(group: Command, run: Runner): void {
  const command = group
    .command('keep')
    .description('set retention periods; without --confirm, only show their effect');
  for (const kind of RetentionKind.options) {
    command.addOption(
      new Option(
        `--${kind} <${retentionUnits[kind]}>`,
        `${retentionKindNames[kind]}: number of ${retentionUnits[kind]} to keep them, or \`${NO_LIMIT_WORD}\``,
      ).argParser(parseLimit),
    );
  }
  command
    .option('--confirm', 'store these periods; without this option, only show their effect')
    .action(({ confirm = false, ...limits }: WrittenLimits & { readonly confirm?: boolean }) =>
      run.withDesk('data', (session) => setRetention(session, limits, confirm)),
    );
  example(command, 'privacy keep --sheets 90 --logs 30 --confirm');
}

export const privacyCommands: AddCommands = (group, run) => {
  const showing = group
    .command('show')
    .description('show the retention periods, and the data that would be removed now')
    .action(() => run.withDesk('data', showRetention));
  example(showing, 'privacy show --json');
  addKeepCommand(group, run);
  const applying = group
    .command('apply')
    .description('remove all data now that is older than its retention period')
    .action(() => run.withDesk('data', (session) => applyRetention(session)));
  example(applying, 'privacy apply');
  const sizing = group
    .command('sizes')
    .description('show the size of each kind of data')
    .action(() => run.withDesk('data', showSizes));
  example(sizing, 'privacy sizes');
  const resuming = group
    .command('resume')
    .description(
      'turn the removal of old data and the daily summary on again, after data was restored or copied',
    )
    .action(() => run.withDesk('data', resumeAfterRestore));
  example(resuming, 'privacy resume');
  const compacting = group
    .command('compact')
    .description('free unused space in the data file; without --confirm, only show the effect')
    .option('--confirm', 'free the space now')
    .action(({ confirm = false }: { readonly confirm?: boolean }) =>
      run.withDesk('data', (session) => compactDataFile(session, confirm)),
    );
  example(compacting, 'privacy compact --confirm');
};
