import path from 'node:path';
import { Option } from 'commander';
import type { RescueReport } from '../../../../../shared/contract/backup.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { exits } from '../../output/exit-codes.ts';
import { count, plain, table } from '../../output/text.ts';
import { toShownTime } from '../../input/times.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { followReading } from './reading.ts';

interface RecoverOptions {
  readonly copy?: string;
  readonly into?: string;
  readonly replace?: true;
}

/** Maximum number of names of lost items in one line; `--json` prints all. */
const NAMES_SHOWN = 10;

/** `backup recover`: reports what can be read, and saves it if a folder is named. */
async function recoverData(session: Session, options: RecoverOptions): Promise<Answer> {
  const { copy = null, into, replace = false } = options;
  const title = 'Reading, pages';
  if (into === undefined && !replace) {
    const report = await followReading(session, title, (reading) =>
      session.api['backup.examine']({ reading, copy }),
    );
    const next = report.isIntact
      ? []
      : ['Nothing was written. Save the data with --into FOLDER or --replace.'];
    return answer(report, [reportText(report), ...next].join('\n'), exitOfRescue(report));
  }
  const folder = into === undefined ? null : path.resolve(into);
  const recovered = await followReading(session, title, (reading) =>
    session.api['backup.recover']({ reading, copy, folder }),
  );
  const { report, doubtful, pausedRules, missingEvidence, setAside } = recovered;
  const lines = [
    reportText(report),
    `Saved in ${plain(recovered.folder)}.`,
    ...(setAside === null ? [] : [`The damaged file is unchanged in ${plain(setAside)}.`]),
    `${count(doubtful, 'send')} with an unknown outcome: outbox run checks the service for them.`,
    `${count(pausedRules, 'rule')} paused: archive schedule list, reminders rules list, backup status.`,
    missingEvidence === 0
      ? 'The recovery is recorded in the evidence.'
      : `The recovery is recorded in the evidence, which has lost ${count(missingEvidence, 'entry', 'entries')}.`,
  ];
  return answer(recovered, lines.join('\n'), exits.personDecides);
}

function reportText(report: RescueReport): string {
  const { isIntact, pages, logBytes, lost, unplaced, nameless, bareDrafts, bareSends } = report;
  if (isIntact) return 'The data file is intact.';
  const rows = lost.map(({ kind, table: name, rows: lostRows, names }) => [
    kind,
    name,
    lostRows === null ? 'unknown' : String(lostRows),
    names.length > NAMES_SHOWN
      ? `${names.slice(0, NAMES_SHOWN).join(', ')} and ${names.length - NAMES_SHOWN} more`
      : names.join(', '),
  ]);
  return [
    `${pages.unreadable} of ${pages.all} pages cannot be read.`,
    ...(logBytes === 0
      ? []
      : [`The newest changes are lost: ${logBytes} bytes of the log cannot be used.`]),
    table(['LOST', 'TABLE', 'ROWS', 'WHICH'], rows, 'No entered data is lost.'),
    ...(unplaced === 0 ? [] : [`${count(unplaced, 'row')} from an unknown table.`]),
    ...(nameless === 0
      ? []
      : [`${count(nameless, 'connection')} without an address; the agreements are kept.`]),
    ...(bareDrafts === 0 ? [] : [`${count(bareDrafts, 'draft')} with files only.`]),
    ...(bareSends === 0
      ? []
      : [`${count(bareSends, 'send')} with a reference only, which you must decide about.`]),
  ].join('\n');
}

const exitOfRescue = ({ isIntact }: RescueReport) => (isIntact ? exits.done : exits.personDecides);

/** `backup copies`: lists copies of the data that upgrades of the program kept. */
async function listUpgradeCopies({ api }: Session): Promise<Answer> {
  const items = await api['backup.copies']({});
  const rows = items.map(({ name, takenAt }) => [toShownTime(takenAt), name]);
  const none = 'There are no copies: this data was never upgraded.';
  return answer({ items }, table(['TAKEN', 'NAME'], rows, none));
}

/** Adds `backup recover` and `backup copies`, for data that does not open. */
export const recoverCommands: AddCommands = (group, run) => {
  const recovering = group
    .command('recover')
    .description('recover the readable data from a damaged data file, and list the lost data')
    .option('--copy <name>', 'read this copy from before an upgrade instead (see `backup copies`)')
    .option('--into <folder>', 'save the recovered data into this empty folder')
    .addOption(
      new Option(
        '--replace',
        'replace the damaged file with the recovered data; the damaged file is moved and kept',
      ).conflicts('into'),
    )
    .action((options: RecoverOptions) =>
      run.withDesk('closed', (session) => recoverData(session, options)),
    );
  example(recovering, 'backup recover --into ~/recovered-desk');
  const listing = group
    .command('copies')
    .description('list the copies of the data from before an upgrade')
    .action(() => run.withDesk('closed', listUpgradeCopies));
  example(listing, 'backup copies');
};
