import path from 'node:path';
import { placeOfReading } from '../../../../../shared/rules/evidence/read-elsewhere.ts';
import { AppError } from '../../../../../shared/errors.ts';
import type { EvidenceFact, EvidenceGap } from '../../../../../shared/contract/evidence.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { agreementInEvidence } from './names.ts';
import { exits } from '../../output/exit-codes.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { count, plain, table } from '../../output/text.ts';
import { parseFrom, toIsoText, parseUntil } from '../../input/times.ts';

interface ListOptions {
  readonly from?: number;
  readonly to?: number;
  readonly limit: string;
}

/** `evidence list`: lists entries, newest first. */
async function listEvidence(
  session: Session,
  id: string | undefined,
  { from, to, limit }: ListOptions,
): Promise<Answer> {
  const { items, total } = await session.api['evidence.list']({
    ...(await evidenceSelection(session, id, { from, to })),
    limit: Number(limit),
  });
  const rows = items.map((entry) => [
    ...[String(entry.number), toIsoText(entry.at) ?? '', eventWord(entry.fact)],
    ...[entry.by.person?.name ?? entry.by.user],
    ...[entry.agreement?.id ?? '', entry.agreement?.title ?? ''],
  ]);
  const heading = ['NUMBER', 'TIME', 'EVENT', 'PERSON', 'ID', 'TITLE'];
  return answer({ items, total }, table(heading, rows, 'There is no evidence yet.'));
}

const reviewWords = {
  here: 'reviewed',
  partly: 'reviewed, partly elsewhere',
  elsewhere: 'reviewed elsewhere',
} as const;

function eventWord(fact: EvidenceFact): string {
  switch (fact.kind) {
    case 'reviewed':
      return reviewWords[placeOfReading(fact)];
    case 'approved':
      return 'approved';
    case 'intended':
      return `about to ${fact.act}`;
    case 'ended':
      return `${fact.act}: ${fact.outcome}`;
    case 'archived':
      return 'final PDF saved';
    case 'restored':
      return fact.from === undefined ? 'restored from a backup' : 'recovered from a damaged file';
    case 'moving':
      return 'about to move';
    case 'moved':
      return 'moved to another computer';
    case 'woken':
      return fact.because === 'person' ? 'reactivated after a move' : 'not moved after all';
  }
}

/** `evidence verify`: verifies the log. A broken chain is a finding that the user must look at. */
async function verifyEvidence(
  session: Session,
  { anchor = [] }: { readonly anchor?: readonly string[] },
): Promise<Answer> {
  const verdict = await session.api['evidence.verify']({
    anchors: anchor.map((file) => path.resolve(file)),
  });
  const { entries, chain, firstBroken, gaps, anchors } = verdict;
  const whole = `The log is intact: ${count(entries, 'entry', 'entries')}, compared with ${count(anchors, 'anchor')} stored outside.`;
  const kept =
    chain === 'note-missing'
      ? `${whole} But the note about the end of the log is missing from the credential store. Without it, removed entries at the end cannot be detected.`
      : whole;
  const said =
    firstBroken === null
      ? kept
      : `Broken at entry ${firstBroken.number}: ${evidenceFaultTexts[firstBroken.why]}`;
  const text = [said, ...gaps.map(gapText)].join('\n');
  return answer(verdict, text, chain === 'ok' ? exits.done : exits.personDecides);
}

function gapText({ from, after, until, backupAt, restoredAt }: EvidenceGap): string {
  const lost =
    until === null
      ? `entries after number ${after} may be missing`
      : `${count(until - after, 'entry', 'entries')} after number ${after} missing`;
  const source = from === 'backup' ? 'a backup of' : 'a damaged file, last written';
  return `Restored ${toIsoText(restoredAt)} from ${source} ${toIsoText(backupAt)}: ${lost}.`;
}

const evidenceFaultTexts = {
  changed: 'the entry was changed.',
  missing: 'the entry was removed.',
  moved: 'the entry was moved from another place.',
  unlinked: 'the entry does not follow from the entry before it.',
  cut: 'the log was cut off before this entry.',
  replaced: 'the entry replaced another entry.',
} as const;

interface ExportOptions {
  readonly out: string;
  readonly from?: number;
  readonly to?: number;
}

/**
 * `evidence export`: writes JSON exactly as it is hashed, CSV to look through, or one agreement's
 * PDF.
 */
async function exportEvidence(
  session: Session,
  id: string | undefined,
  { out, from, to }: ExportOptions,
): Promise<Answer> {
  const file = path.resolve(out);
  const query = await evidenceSelection(session, id, { from, to });
  const form = /\.(json|csv|pdf)$/iu.exec(file)?.[1]?.toLowerCase();
  if (form === 'pdf') {
    if (query.key === undefined) throw invalidOutError('A PDF is about one agreement: add its ID');
    const written = await session.api['evidence.statement']({ ...query.key, file });
    return answer(written, `Wrote ${plain(written.file)}, ${written.entries} entries.`);
  }
  if (form !== 'json' && form !== 'csv')
    throw invalidOutError('Name a file that ends in .json, .csv or .pdf');
  const written = await session.api['evidence.export']({ ...query, file, form });
  return answer(written, `Wrote ${plain(written.file)}, ${written.entries} entries.`);
}

async function writeEvidenceAnchor(
  { api }: Session,
  { to }: { readonly to: string },
): Promise<Answer> {
  const written = await api['evidence.anchor']({ folder: path.resolve(to) });
  const { file, anchor: head } = written;
  return answer({ file, ...head }, `Wrote ${plain(file)}: ${head.entries} entries.`);
}

async function evidenceSelection(
  session: Session,
  id: string | undefined,
  { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
) {
  return {
    ...(id !== undefined && { key: await agreementInEvidence(session, id) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

const invalidOutError = (message: string) =>
  new AppError('invalid', message, { fields: { out: message } });

const AGREEMENT_OPTION_HELP = 'only this agreement: its ID, or `<connection>:<ID>`';
const FROM_OPTION_HELP = 'only entries on or after this day or time';
const TO_OPTION_HELP = 'only entries up to the end of this day, or before this time';

export const evidenceCommands: AddCommands = (group, run) => {
  const list = group
    .command('list')
    .argument('[id]', AGREEMENT_OPTION_HELP)
    .description('list the entries of the log, newest first')
    .option('--from <time>', FROM_OPTION_HELP, parseFrom)
    .option('--to <time>', TO_OPTION_HELP, parseUntil)
    .option('--limit <number>', 'maximum number of entries', '100')
    .action((id: string | undefined, options: ListOptions) =>
      run.withDesk('data', (session) => listEvidence(session, id, options)),
    );
  example(list, 'evidence list --from 2026-11-01');
  const verifying = group
    .command('verify')
    .description('check that no entry of the log was changed, removed, moved or cut off')
    .option('--anchor <file...>', 'compare the log with files that `evidence anchor` wrote earlier')
    .action((options: { readonly anchor?: readonly string[] }) =>
      run.withDesk('data', (session) => verifyEvidence(session, options)),
    );
  example(
    verifying,
    'evidence verify --anchor /mail/signing-desk-evidence-5f1c02aa-2026-11-01.json',
  );
  const exporting = group
    .command('export')
    .argument('[id]', AGREEMENT_OPTION_HELP)
    .description('save entries of the log in a file')
    .requiredOption(
      '--out <file>',
      'output file: .json, .csv, or .pdf for one agreement; an existing file is never overwritten',
    )
    .option('--from <time>', FROM_OPTION_HELP, parseFrom)
    .option('--to <time>', TO_OPTION_HELP, parseUntil)
    .action((id: string | undefined, options: ExportOptions) =>
      run.withDesk('data', (session) => exportEvidence(session, id, options)),
    );
  example(exporting, 'evidence export Office:004711000001 --out evidence.pdf');
  const anchoring = group
    .command('anchor')
    .description(
      'write a file that proves which entry of the log is the last one now; store it elsewhere',
    )
    .requiredOption('--to <folder>', 'target folder, best on another computer')
    .action((options: { readonly to: string }) =>
      run.withDesk('data', (session) => writeEvidenceAnchor(session, options)),
    );
  example(anchoring, 'evidence anchor --to /srv/office');
};
