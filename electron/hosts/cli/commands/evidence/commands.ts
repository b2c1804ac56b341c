import path from 'node:path';
import { AppError } from '../../../../../shared/errors.ts';
import type { EvidenceFact, EvidenceGap } from '../../../../../shared/contract/evidence.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { agreementInEvidence } from './names.ts';
import { exits } from '../../output/exit-codes.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { count, plain, table } from '../../output/text.ts';
import { fromOption, iso, untilOption } from '../../input/times.ts';

interface ListOptions {
  readonly from?: number;
  readonly to?: number;
  readonly limit: string;
}

/** `evidence list`: newest first. */
async function listEvidence(
  session: Session,
  id: string | undefined,
  { from, to, limit }: ListOptions,
): Promise<Answer> {
  const { items, total } = await session.api['evidence.list']({
    ...(await narrowed(session, id, { from, to })),
    limit: Number(limit),
  });
  const rows = items.map((entry) => [
    ...[String(entry.number), iso(entry.at) ?? '', eventWord(entry.fact)],
    ...[entry.by.person?.name ?? entry.by.user],
    ...[entry.agreement?.id ?? '', entry.agreement?.title ?? ''],
  ]);
  const heading = ['NUMBER', 'TIME', 'EVENT', 'PERSON', 'ID', 'TITLE'];
  return answer({ items, total }, table(heading, rows, 'There is no evidence yet.'));
}

function eventWord(fact: EvidenceFact): string {
  switch (fact.kind) {
    case 'reviewed':
      return fact.how === 'here' ? 'reviewed' : 'read elsewhere';
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
      return fact.because === 'person' ? 'woken after it moved' : 'not moved after all';
  }
}

/** `evidence verify`: a broken chain is a finding that a person must look at. */
async function verify(
  session: Session,
  { anchor = [] }: { readonly anchor?: readonly string[] },
): Promise<Answer> {
  const verdict = await session.api['evidence.verify']({
    anchors: anchor.map((file) => path.resolve(file)),
  });
  const { entries, chain, firstBroken, gaps, anchors } = verdict;
  const whole = `${entries} entries, every one follows from the one before; compared with ${anchors} notes kept outside.`;
  const kept =
    chain === 'note-missing'
      ? `${whole} But the note in the credential store of how far the log had come was taken away: nothing there shows that these are the entries that were written.`
      : whole;
  const said =
    firstBroken === null
      ? kept
      : `Broken at entry ${firstBroken.number}: ${broken[firstBroken.why]}`;
  const text = [said, ...gaps.map(gapText)].join('\n');
  return answer(verdict, text, chain === 'ok' ? exits.done : exits.personDecides);
}

function gapText({ from, after, until, backupAt, restoredAt }: EvidenceGap): string {
  const lost =
    until === null
      ? `what was written after entry ${after} is not in it, if anything was`
      : `${count(until - after, 'entry', 'entries')} after entry ${after} are not in it`;
  const source = from === 'backup' ? 'a backup of' : 'a damaged file, last written';
  return `Restored ${iso(restoredAt)} from ${source} ${iso(backupAt)}: ${lost}.`;
}

const broken = {
  changed: 'it was changed.',
  missing: 'it was taken out.',
  moved: 'it stood at another place.',
  unlinked: 'it does not follow from the one before.',
  cut: 'the log ends before it, but did not once.',
  replaced: 'another entry stood there once.',
} as const;

interface ExportOptions {
  readonly out: string;
  readonly from?: number;
  readonly to?: number;
}

/** `evidence export`: JSON exactly as it is hashed, CSV to look through, or one agreement's PDF. */
async function exportEvidence(
  session: Session,
  id: string | undefined,
  { out, from, to }: ExportOptions,
): Promise<Answer> {
  const file = path.resolve(out);
  const query = await narrowed(session, id, { from, to });
  const form = /\.(json|csv|pdf)$/iu.exec(file)?.[1]?.toLowerCase();
  if (form === 'pdf') {
    if (query.key === undefined) throw wrong('A PDF tells of one agreement: name it');
    const written = await session.api['evidence.statement']({ ...query.key, file });
    return answer(written, `Wrote ${plain(written.file)}, ${written.entries} entries.`);
  }
  if (form !== 'json' && form !== 'csv')
    throw wrong('Name a file that ends in .json, .csv or .pdf');
  const written = await session.api['evidence.export']({ ...query, file, form });
  return answer(written, `Wrote ${plain(written.file)}, ${written.entries} entries.`);
}

async function anchor({ api }: Session, { to }: { readonly to: string }): Promise<Answer> {
  const written = await api['evidence.anchor']({ folder: path.resolve(to) });
  const { file, anchor: head } = written;
  return answer({ file, ...head }, `Wrote ${plain(file)}: ${head.entries} entries.`);
}

async function narrowed(
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

const wrong = (message: string) => new AppError('invalid', message, { fields: { out: message } });

/** `evidence …` */
export const evidenceCommands: AddCommands = (group, run) => {
  const list = group
    .command('list [id]')
    .description('list the entries, newest first; of one agreement when it is named')
    .option('--from <time>', 'entries from this time on', fromOption)
    .option('--to <time>', 'entries before this time', untilOption)
    .option('--limit <number>', 'how many', '100')
    .action((id: string | undefined, options: ListOptions) =>
      run.withDesk('data', (session) => listEvidence(session, id, options)),
    );
  example(list, 'evidence list --from 2026-11-01');
  const verifying = group
    .command('verify')
    .description('prove that no entry was changed, taken out, moved or cut off')
    .option('--anchor <file...>', 'files that "evidence anchor" wrote earlier')
    .action((options: { readonly anchor?: readonly string[] }) =>
      run.withDesk('data', (session) => verify(session, options)),
    );
  example(
    verifying,
    'evidence verify --anchor /mail/signing-desk-evidence-5f1c02aa-2026-11-01.json',
  );
  const exporting = group
    .command('export [id]')
    .description('write entries to a file: .json, .csv, or .pdf for one agreement')
    .requiredOption('--out <file>', 'the file, which must not exist')
    .option('--from <time>', 'entries from this time on', fromOption)
    .option('--to <time>', 'entries before this time', untilOption)
    .action((id: string | undefined, options: ExportOptions) =>
      run.withDesk('data', (session) => exportEvidence(session, id, options)),
    );
  example(exporting, 'evidence export Office:004711000001 --out evidence.pdf');
  const anchoring = group
    .command('anchor')
    .description('note in a folder where the log ends now; keep the file away from this computer')
    .requiredOption('--to <folder>', 'the folder')
    .action((options: { readonly to: string }) =>
      run.withDesk('data', (session) => anchor(session, options)),
    );
  example(anchoring, 'evidence anchor --to /srv/office');
};
