import path from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../../../../shared/errors.ts';
import type { Answer } from '../../output/answer.ts';
import { plain } from '../../output/text.ts';
import { example, type Runner } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { taken } from './run.ts';
import { addTermOptions, hasTerms, type TermOptions, termsFrom, usualTerms } from './terms.ts';

interface WatchOptions extends TermOptions {
  readonly once?: true;
}

/** `drafts watch`: a rule for the folder says what holds; else the options do. */
async function watch(
  session: Session,
  folder: string,
  { once, ...options }: WatchOptions,
): Promise<Answer> {
  const { api, report } = session;
  const whole = path.resolve(folder);
  const rule = (await api['intake.rules']({})).find((one) => one.rule.folder === whole)?.rule;
  if (rule !== undefined && hasTerms(options)) {
    const message = `The rule "${rule.name}" watches this folder: change it with intake edit`;
    throw new AppError('conflict', message);
  }
  const terms = await termsFrom(session, rule ?? usualTerms, whole, options);
  if (once !== true) report.note(`Watching ${plain(whole)}; Ctrl+C ends it.`);
  const { jobId } = await api['intake.watch']({ ...terms, stays: once !== true });
  return taken(session, jobId);
}

/** `drafts watch` */
export function addDraftWatch(group: Command, run: Runner): void {
  const watching = addTermOptions(
    group
      .command('watch <folder>')
      .description('make drafts of the PDFs that come into a folder; nothing is sent')
      .option('--once', 'take what is there now, and end'),
  ).action((folder: string, options: WatchOptions) =>
    run.withDesk('data', (session) => watch(session, folder, options)),
  );
  watching.addHelpText('after', BESIDE);
  example(watching, 'drafts watch ~/Scans --once --connection Office');
}

/** What may lie beside a PDF; the guide says it at length. */
const BESIDE = `
Beside Lease.pdf:
  Lease.json   {"title", "api", "connection", "template", "answers": {"Question": "…"},
               "parties": [{"role", "firstName", "lastName", "name", "email", "mobile",
               "country", "personNumber", "companyNumber"}]}; every part may be left out
  a sheet      .csv, .xlsx or .ods with a column "file"; a row for each party
Taken files go to done, others to refused with a sentence.`;
