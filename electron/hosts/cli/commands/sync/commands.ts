import { SyncResult } from '../../../../../shared/contract/agreements.ts';
import type { ConnectionId } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import { connectionQuery } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { table } from '../../output/text.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type AddCommands, example, addExitSixHelp } from '../../session/group.ts';
import { connectionOption } from '../../input/options.ts';
import { addSelection, selectionOf, type SelectionOptions } from './selection.ts';

interface SyncOptions extends SelectionOptions {
  readonly connection?: string;
  readonly full?: boolean;
}

/**
 * `sync`: reads changes from the service, or the agreements that the options select on the service.
 */
export async function sync(session: Session, options: SyncOptions): Promise<Answer> {
  const where = await connectionQuery(session, options.connection);
  // The report to the office runs in parallel with the reading, so that an office that does not
  // answer delays nothing.
  const reported = session.api['office.report']({});
  const { jobId } = await startSyncJobs(session, where.connectionId, options);
  const job = await followJob(session, jobId, 'Reading');
  await reported;
  const { connections } = SyncResult.parse(job.result);
  const failed = connections.flatMap(({ failure }) => failure ?? []);
  const [first] = failed;
  if (first !== undefined && failed.length === connections.length) throw AppError.from(first);
  const value = {
    connections: connections.map(({ failure, checkedUntil, ...counts }) => ({
      ...counts,
      checkedUntil: toIsoText(checkedUntil),
      ...(failure && { error: failedItem(failure) }),
    })),
  };
  const exit = exitOfJob(job, first === undefined ? exits.done : exits.inPart);
  return answer(value, syncText(connections), exit);
}

async function startSyncJobs(
  { api }: Session,
  connectionId: ConnectionId | undefined,
  options: SyncOptions,
) {
  const all = await api['connections.list']({});
  const meant = all.filter(({ id }) => connectionId === undefined || id === connectionId);
  const [first, second] = meant;
  const selection = first === undefined ? null : selectionOf(first, options);
  if (first === undefined || selection === null) {
    return api['agreements.sync']({ connectionId, full: options.full ?? false });
  }
  if (second === undefined) {
    return api['agreements.syncSelection']({ connectionId: first.id, selection });
  }
  const message = 'Nothing was read: with these options, choose a connection with --connection';
  throw new AppError('invalid', message, { fields: { connection: message } });
}

function syncText(connections: SyncResult['connections']): string {
  return table(
    ['CONNECTION', 'REQUESTS', 'RECEIVED', 'CHANGED', 'GONE', 'CHECKED UNTIL'],
    connections.map(({ name, requests, received, changed, gone, checkedUntil, failure }) => [
      name,
      ...[requests, received, changed, gone].map(String),
      failure?.message ?? toShownTime(checkedUntil),
    ]),
    'There is no connection yet. Try: signing-desk connections test demo',
  );
}

export const syncCommands: AddCommands = (command, run) => {
  command.addOption(connectionOption()).option('--full', 'read all agreements again');
  addSelection(command).action((options: SyncOptions) =>
    run.withDesk('data', (session) => sync(session, options)),
  );
  addExitSixHelp(command, 'some connections could not be read; the output shows the reason');
  example(command, 'sync --connection Office');
};
