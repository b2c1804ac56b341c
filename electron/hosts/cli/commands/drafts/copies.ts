import path from 'node:path';
import {
  CopiedAgreement,
  type Loss,
  type LossCode,
} from '../../../../../shared/contract/draft-history.ts';
import { ApiName } from '../../../../../shared/model/ids.ts';
import type { Command } from 'commander';
import { type Answer, answer } from '../../output/answer.ts';
import { parseDraftId } from './file.ts';
import { example, type Runner } from '../../session/group.ts';
import { followJob } from '../../session/jobs.ts';
import { readBytes } from '../../input/local-files.ts';
import { agreementNamed } from '../../session/names.ts';
import { AGREEMENT_ID_HELP, choiceOption, DRAFT_ID_HELP } from '../../input/options.ts';
import type { Session } from '../../session/session.ts';
import { table } from '../../output/text.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';

const draftLossTexts = {
  'deletion-date': 'the date of deletion',
  'reference-documents': 'a reference document',
  'uploaded-files': 'a file that is stored in the other API',
  'free-text': 'the text of the agreement',
  template: "the service's template and its values",
  method: 'the signing method',
  identification: 'identification before reading',
  'identity-text': 'the text for the e-identity app',
  'drawn-signature': 'the place of the drawn signature',
  notifications: 'the notifications and their recipients',
  configurations: 'the configurations',
  'access-rights': 'the access rights',
  'return-links': 'the return links',
  tags: 'the tags',
  reminders: 'the planned reminders',
  webhook: 'the webhook',
  'allowed-persons': 'the people who may sign for the company',
  viewing: 'drawn signatures, and how the parties open the agreement',
  'own-company': 'our own company; add its number and contact',
  'company-contact': "the company's name or contact",
  country: 'a number or country that is not Swedish',
  'expiry-rounded': 'the expiry was converted between days and a date',
  'personal-numbers': 'the personal number',
  addresses: 'email addresses and mobile numbers',
  files: 'the file',
  messages: 'the texts and recipients of messages',
  'signing-order': 'the signing order',
} as const satisfies Record<LossCode, string>;

async function exportDraft(
  { api }: Session,
  text: string,
  { out }: { readonly out: string },
): Promise<Answer> {
  const saved = await api['drafts.export']({ id: parseDraftId(text), file: path.resolve(out) });
  return answer(saved, `Wrote ${saved.file}. The file has personal data and is not encrypted.`);
}

async function importDraft(session: Session, file: string): Promise<Answer> {
  const bytes = session.giveBytes(await readBytes(file));
  const { id } = await session.api['drafts.import']({ bytes, connectionId: null });
  return answer({ id }, `Added draft ${id}.`);
}

async function duplicateDraft({ api }: Session, text: string): Promise<Answer> {
  const { id } = await api['drafts.duplicate']({ id: parseDraftId(text) });
  return answer({ id }, `Added draft ${id}.`);
}

async function restoreDraft({ api }: Session, text: string): Promise<Answer> {
  const { id } = await api['drafts.restore']({ id: parseDraftId(text) });
  return answer({ id }, `Restored draft ${id}.`);
}

async function listTrash({ api }: Session): Promise<Answer> {
  const drafts = await api['drafts.trash']({});
  const items = drafts.map(({ id, title, trashedAt, endsAt, ...one }) => ({
    id,
    api: one.api,
    title,
    trashedAt: toIsoText(trashedAt),
    endsAt: toIsoText(endsAt),
  }));
  const rows = drafts.map((one) => [one.id, one.api, toShownTime(one.endsAt), one.title]);
  return answer({ items }, table(['ID', 'API', 'GONE', 'TITLE'], rows, 'The trash is empty.'));
}

async function convertDraft(
  { api }: Session,
  text: string,
  { to }: { readonly to: ApiName },
): Promise<Answer> {
  const copy = await api['drafts.convert']({ id: parseDraftId(text), to });
  return copyAnswer(copy.draft.id, copy.losses);
}

async function draftFromAgreement(session: Session, text: string): Promise<Answer> {
  const key = await agreementNamed(session, text);
  const { jobId } = await session.api['drafts.fromAgreement']({ key });
  const job = await followJob(session, jobId, 'Copying');
  const { draft, losses: lost } = CopiedAgreement.parse(job.result);
  return copyAnswer(draft, lost);
}

function copyAnswer(id: string, lost: readonly Loss[]): Answer {
  const lines = lost.map(
    ({ code, about }) => `  ${about === '' ? '' : `${about}: `}${draftLossTexts[code]}`,
  );
  const tail = lines.length === 0 ? [] : ['Not copied, or to be checked:', ...lines];
  return answer({ id, losses: lost }, [`Added draft ${id}.`, ...tail].join('\n'));
}

/** Adds the `drafts` commands that create drafts from other data, export them and restore them. */
export function addDraftCopies(group: Command, run: Runner): void {
  const id = '0b1f8a52-6c1e-4a53-9a7e-2f1f9f0c8d11';
  const out = group
    .command('export')
    .argument('<id>', DRAFT_ID_HELP)
    .description('save a draft and its files in one file')
    .requiredOption(
      '--out <file>',
      'output file, such as lease.signdraft; an existing file is never overwritten',
    )
    .action((text: string, options: { readonly out: string }) =>
      run.withDesk('data', (session) => exportDraft(session, text, options)),
    );
  example(out, `drafts export ${id} --out lease.signdraft`);
  const ofTrash = 'ID of the draft, as `drafts trash` shows it';
  for (const [name, takes, value, about, sample, work] of [
    [
      'import',
      '<file>',
      'file that `drafts export` wrote',
      'add the draft from a file',
      'lease.signdraft',
      importDraft,
    ],
    ['duplicate', '<id>', DRAFT_ID_HELP, 'copy a draft', id, duplicateDraft],
    ['restore', '<id>', ofTrash, 'restore a draft from the trash', id, restoreDraft],
    [
      'from-agreement',
      '<agreement>',
      AGREEMENT_ID_HELP,
      'copy an agreement into a new draft',
      'Office:004711000001',
      draftFromAgreement,
    ],
  ] as const) {
    const command = group
      .command(name)
      .argument(takes, value)
      .description(about)
      .action((text: string) => run.withDesk('data', (session) => work(session, text)));
    example(command, `drafts ${name} ${sample}`);
  }
  const trash = group
    .command('trash')
    .description('list the drafts in the trash')
    .action(() => run.withDesk('data', listTrash));
  example(trash, 'drafts trash');
  const convert = group
    .command('convert')
    .argument('<id>', DRAFT_ID_HELP)
    .description('copy a draft for the other API, and list what could not be copied')
    .addOption(choiceOption('--to <api>', 'API of the copy', ApiName.options).makeOptionMandatory())
    .action((text: string, options: { readonly to: ApiName }) =>
      run.withDesk('data', (session) => convertDraft(session, text, options)),
    );
  example(convert, `drafts convert ${id} --to v2`);
}
