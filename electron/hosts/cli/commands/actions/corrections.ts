import type { Command } from 'commander';
import {
  MAX_CORRECTIONS,
  type Correction,
  type CorrectionFile,
  type CorrectionPreview,
  type CorrectionProblem,
  CorrectionsResult,
} from '../../../../../shared/contract/corrections.ts';
import type { ActionReason, Notice } from '../../../../../shared/contract/actions.ts';
import { CopiedAgreement, type Loss } from '../../../../../shared/contract/draft-history.ts';
import { AppError, type Failure } from '../../../../../shared/errors.ts';
import { copiesByAgreement } from '../../../../../shared/rules/corrections/readdress.ts';
import { readBytes } from '../../input/local-files.ts';
import { choiceOption, wholeNumberOption } from '../../input/options.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { type Exit, exits } from '../../output/exit-codes.ts';
import { noticesAsLines, toShownNotices } from '../../output/sheet-notices.ts';
import { count, plain, table } from '../../output/text.ts';
import { example, addExitSixHelp, type Runner } from '../../session/group.ts';
import { exitOfJob, followJob } from '../../session/jobs.ts';
import { connectionNames } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';

interface FileOptions {
  readonly sheet?: string;
  readonly hidden?: 'skip' | 'read';
}

interface CorrectOptions extends FileOptions {
  readonly check?: boolean;
  readonly copy?: boolean;
  readonly confirm?: number;
  readonly notify?: boolean;
}

type ReadCorrections = CorrectionPreview & Pick<CorrectionFile, 'notices'>;

/** Reads a text or a spreadsheet of addresses, and finds the people it refers to. */
async function readCorrectionPreview(
  session: Session,
  file: string,
  { sheet, hidden }: FileOptions,
): Promise<ReadCorrections> {
  const { text, notices } = await session.api['corrections.readFile']({
    bytes: session.giveBytes(await readBytes(file)),
    ...(sheet !== undefined && { sheet }),
    ...(hidden !== undefined && { hidden }),
  });
  const found = await session.api['corrections.preview']({ text });
  return Object.assign(found, { notices });
}

/** `agreements correct`: shows what the list would change, or each correction with its outcome. */
async function runCorrections(
  session: Session,
  file: string,
  { check = false, confirm, notify = false, ...options }: CorrectOptions,
): Promise<Answer> {
  const found = await readCorrectionPreview(session, file, options);
  const corrections = found.rows.flatMap(({ key, partyId, from, to, reason }): Correction[] =>
    to === null || reason !== null ? [] : [{ key, partyId, from, address: to }],
  );
  if (check || corrections.length === 0) return previewAnswer(session, found, corrections.length);
  if (confirm === undefined) {
    const message = `Nothing was changed. Check with --check, then add --confirm ${corrections.length}`;
    throw new AppError('invalid', message, { reason: 'count-differs' });
  }
  const { jobId } = await session.api['corrections.run']({ corrections, notify, confirm });
  const job = await followJob(session, jobId, 'Correcting');
  const result = CorrectionsResult.parse(job.result);
  const left = [...excludedLines(found), ...uncorrectableLines(found)];
  const nameOf = await connectionNames(session);
  const value = {
    done: result.done.map(({ connectionId, notice, ...one }) => ({
      connection: nameOf(connectionId),
      ...one,
      notice: notice.state,
      ...(notice.failure !== null && { why: failedItem(notice.failure) }),
    })),
    failed: result.failed.map(({ id, partyId, failure }) => ({
      id,
      partyId,
      ...failedItem(failure),
    })),
    unknown: result.unknown.map(({ id, title, partyId }) => ({ id, title, partyId })),
    refused: found.refused,
    unfound: found.unfound,
  };
  const said = [
    ...result.done.map(({ title, notice }) => `Corrected: ${plain(title)}, ${noticeText(notice)}`),
    ...result.failed.map(({ title, failure }) => `Failed: ${plain(title)}: ${failure.message}`),
    ...result.unknown.map(({ title }) => `Outcome unknown: ${plain(title)}`),
    ...left,
  ];
  return answer(value, said.join('\n'), exitOfJob(job, exitOfResult(result, left.length > 0)));
}

function exitOfResult({ done, failed, unknown }: CorrectionsResult, isLeft: boolean): Exit {
  const notices = new Set(done.map(({ notice }) => notice.state));
  if (unknown.length > 0 || notices.has('unknown')) return exits.personDecides;
  return failed.length > 0 || notices.has('failed') || isLeft ? exits.inPart : exits.done;
}

/**
 * `agreements correct --copy`: creates a draft with the new address for each agreement of API v2.
 */
async function copyToNewDrafts(
  session: Session,
  file: string,
  options: FileOptions,
): Promise<Answer> {
  const found = await readCorrectionPreview(session, file, options);
  const made: { id: string; title: string; draft: string; losses: readonly Loss[] }[] = [];
  const failed: { id: string; title: string; failure: Failure }[] = [];
  for (const { key, title, changes } of copiesByAgreement(found.copies)) {
    try {
      const { jobId } = await session.api['corrections.copy']({ key, changes });
      const job = await followJob(session, jobId, 'Copying');
      const { draft, losses } = CopiedAgreement.parse(job.result);
      made.push({ id: key.id, title, draft, losses });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ id: key.id, title, failure: error.failure });
      if (error.failure.code === 'cancelled') break;
    }
  }
  const said = [
    ...made.map(({ id, title, draft }) =>
      [
        `Draft ${draft}: ${plain(title)}`,
        `  After you send it, revoke the old one: agreements revoke ${id} --confirm 1`,
      ].join('\n'),
    ),
    ...failed.map(({ title, failure }) => `Failed: ${plain(title)}: ${failure.message}`),
    ...(made.length + failed.length === 0
      ? [...noticesAsLines(found.notices), 'There is nothing to copy.']
      : []),
  ];
  const value = {
    copied: made,
    failed: failed.map(({ id, failure }) => ({ id, ...failedItem(failure) })),
  };
  return answer(value, said.join('\n'), failed.length > 0 ? exits.inPart : exits.done);
}

async function previewAnswer(
  session: Session,
  found: ReadCorrections,
  correctable: number,
): Promise<Answer> {
  const nameOf = await connectionNames(session);
  const heads = ['LINE', 'AGREEMENT', 'PARTY', 'FROM', 'TO'];
  const outcome = (to: string | null): string => (to === null ? 'bounced' : plain(to));
  const rows = [
    ...found.rows.map((one) => ({
      one,
      to: one.to !== null && one.reason !== null ? notPossibleText(one.reason) : outcome(one.to),
    })),
    ...found.copies.map((one) => ({ one, to: `${outcome(one.to)} (v2: copy)` })),
  ].map(({ one: { line, title, partyName, from }, to }) => [
    String(line),
    plain(title),
    plain(partyName ?? '-'),
    plain(from ?? '-'),
    to,
  ]);
  const value = {
    rows: found.rows.map(({ key, ...row }) => ({
      connection: nameOf(key.connectionId),
      id: key.id,
      ...row,
    })),
    copies: found.copies.map(({ key, ...row }) => ({
      connection: nameOf(key.connectionId),
      id: key.id,
      ...row,
    })),
    refused: found.refused,
    unfound: found.unfound,
    withoutAddresses: found.withoutAddresses,
    notices: toShownNotices(found.notices),
    correctable,
  };
  const left = excludedLines(found);
  const said = [
    ...noticesAsLines(found.notices),
    ...(rows.length === 0 ? [] : [table(heads, rows, '')]),
    ...left,
    ...(found.copies.length === 0
      ? []
      : [
          `API v2 cannot change addresses. To copy ${count(found.copies.length, 'agreement')} into drafts, add --copy.`,
        ]),
    ...(found.withoutAddresses === 0
      ? []
      : [
          `Compared by name only: ${count(found.withoutAddresses, 'open agreement')} of API v2 that this computer did not send.`,
        ]),
    correctable === 0
      ? 'There is nothing to correct.'
      : `To correct them, write --confirm ${correctable} instead of --check.`,
  ];
  const isWhole = left.length + uncorrectableLines(found).length === 0;
  return answer(value, said.join('\n'), isWhole ? exits.done : exits.invalid);
}

/** Returns the lines that refer to a person whose address cannot be changed in this way. */
function uncorrectableLines({ rows }: CorrectionPreview): readonly string[] {
  return rows.flatMap(({ line, title, to, reason }) =>
    to === null || reason === null
      ? []
      : `Line ${line}: ${plain(title)}: ${notPossibleText(reason)}`,
  );
}

const notPossibleText = (reason: ActionReason): string => `not possible: ${reason}`;

function excludedLines({ refused, unfound }: CorrectionPreview): readonly string[] {
  return [
    ...refused.map(({ line, problem }) => `Line ${line}: ${correctionProblemTexts[problem]}`),
    ...unfound.map(({ line }) => `Line ${line}: no party of an open agreement matches`),
  ];
}

const correctionProblemTexts: Readonly<Record<CorrectionProblem, string>> = {
  'no-address': 'it has no email address',
  'several-addresses': 'it has several email addresses; keep the right one',
  'address-wrong': 'the new text is not an email address',
  'same-address': 'the new address is the same as the old one',
  'said-before': 'an earlier line gives another address for the same party',
  unreadable: 'it is incomplete or damaged',
  'no-report': 'it is an email without a report of the addresses that were not reached',
  'none-came-back': 'the report lists no address that bounced permanently',
};

function noticeText({ state, failure }: Notice): string {
  const isFailed = failure !== null && (state === 'failed' || state === 'unknown');
  return isFailed
    ? `${correctionNoticeTexts[state]}: ${failure.message}`
    : correctionNoticeTexts[state];
}

const correctionNoticeTexts = {
  'not-asked': 'invitation not sent again',
  reminded: 'invitation scheduled again',
  nobody: 'invitation not sent again: it is not their turn',
  failed: 'invitation not sent again',
  unknown: 'unknown whether the invitation is sent again',
} as const;

export function addCorrectionCommands(group: Command, run: Runner): void {
  const command = group
    .command('correct')
    .argument(
      '<file>',
      'text file with lines `<old address>;<new address>` or `<name>;<new address>`, a spreadsheet, or a bounce report',
    )
    .description('correct email addresses from a list, a spreadsheet or a bounce report')
    .option('--check', 'only show the corrections; change nothing')
    .option('--copy', 'v2: copy each agreement into a draft with the new address')
    .option('--sheet <name>', 'sheet of the spreadsheet (default: the first visible one)')
    .addOption(
      choiceOption('--hidden <what>', 'how to treat hidden rows and columns', ['skip', 'read']),
    )
    .addOption(
      wholeNumberOption(
        '--confirm <count>',
        'enter the number of corrections that --check shows',
        1,
        MAX_CORRECTIONS,
      ),
    )
    .option('--notify', 'send the invitation again to the parties whose turn it is')
    .action((file: string, options: CorrectOptions) =>
      run.withDesk('data', (session) =>
        options.copy === true
          ? copyToNewDrafts(session, file, options)
          : runCorrections(session, file, options),
      ),
    );
  addExitSixHelp(command, 'some lines were not corrected; the output lists each one');
  example(command, 'agreements correct moved.xlsx --check');
  example(command, 'agreements correct moved.csv --confirm 12 --notify');
}
