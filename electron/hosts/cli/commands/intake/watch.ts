import path from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../../../../shared/errors.ts';
import type { Answer } from '../../output/answer.ts';
import { plain } from '../../output/text.ts';
import { example, addExitSixHelp, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { SOME_REFUSED_HELP, answerAfterImport } from './run.ts';
import {
  addTermOptions,
  hasTerms,
  type TermOptions,
  applyTermOptions,
  defaultTerms,
} from './terms.ts';

interface WatchOptions extends TermOptions {
  readonly once?: true;
}

/** `drafts watch`: the folder's rule determines the settings; without a rule, the options do. */
async function watchFolder(
  session: Session,
  folder: string,
  { once, ...options }: WatchOptions,
): Promise<Answer> {
  const { api, report } = session;
  const whole = path.resolve(folder);
  const rule = (await api['intake.rules']({})).find((one) => one.rule.folder === whole)?.rule;
  if (rule !== undefined && hasTerms(options)) {
    const message = `The rule "${rule.name}" already watches this folder; use folders edit instead`;
    throw new AppError('conflict', message);
  }
  const terms = await applyTermOptions(session, rule ?? defaultTerms, whole, options);
  if (once !== true) report.note(`Watching ${plain(whole)}. Press Ctrl+C to stop.`);
  const { jobId } = await api['intake.watch']({ ...terms, stays: once !== true });
  return answerAfterImport(session, jobId);
}

export function addDraftWatch(group: Command, run: Runner): void {
  const watching = addTermOptions(
    group
      .command('watch')
      .argument('<folder>', 'folder to watch')
      .description('import PDFs from a folder as drafts, until you press Ctrl+C; nothing is sent')
      .option('--once', 'import the files that are in the folder now, and end'),
  ).action((folder: string, options: WatchOptions) =>
    run.withDesk('data', (session) => watchFolder(session, folder, options)),
  );
  watching.addHelpText('after', SIDECAR_HELP);
  addExitSixHelp(watching, SOME_REFUSED_HELP);
  example(watching, 'drafts watch ~/Scans --once --connection Office');
}

/** Help about the data that a PDF may have in a sidecar file; the guide describes it in detail. */
const SIDECAR_HELP = `
Data for Lease.pdf, in the same folder:
  Lease.json      {"title", "api", "connection", "template", "answers": {"Question": "…"},
                  "parties": [{"role", "firstName", "lastName", "name", "email", "mobile",
                  "country", "personNumber", "companyNumber"}]}; every part is optional
  a spreadsheet   .csv, .xlsx or .ods file with a column "file", and one row for each party
Imported files move to the folder "done". Refused files move to "refused", with the reason.`;
