import path from 'node:path';
import type {
  PlannedIntake,
  IntakeRule,
  IntakeRuleView,
  IntakeWaitReason,
} from '../../../../../shared/contract/intake.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { count, plain, table } from '../../output/text.ts';
import { type AddCommands, example, addExitSixHelp } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { addRuleSwitches, exitOfRules, type RuleKind, ruleNamed, stateText } from '../rules.ts';
import { countsText, SOME_REFUSED_HELP, answerAfterImport } from './run.ts';
import { addTermOptions, type TermOptions, applyTermOptions, defaultTerms } from './terms.ts';

interface RuleOptions extends TermOptions {
  readonly folder?: string;
}

const waitReasonTexts = {
  'being-written': 'waits: the file is still being written, or is incomplete',
  'no-data': 'waits for a .json file or a row of a spreadsheet',
  'no-pdf': 'waits for its PDF',
  'not-readable': 'waits: another program is using the file, or it may not be read',
} as const satisfies Record<IntakeWaitReason, string>;

const folderRules: RuleKind<IntakeRuleView> = {
  path: 'folders',
  noun: 'rule for a watched folder',
  exampleName: 'Scans',
  list: (api) => api['intake.rules']({}),
  switch: (api, id, isOn) => api['intake.switchRule']({ id, isOn }),
  remove: (api, id) => api['intake.removeRule']({ id }),
};

const FOLDER_RULE_HELP = 'name of the rule, as `folders list` shows it';

async function listRules({ api }: Session): Promise<Answer> {
  const rules = await api['intake.rules']({});
  const rows = rules.map((one) => [
    ...[one.rule.name, stateText(one), one.rule.api, one.rule.folder],
    ...[toShownTime(one.last?.at ?? null), lastText(one)],
  ]);
  const items = rules.map((one) => ({
    ...one.rule,
    state: stateText(one),
    last: one.last === null ? null : { ...one.last, at: toIsoText(one.last.at) },
  }));
  const heading = ['NAME', 'STATE', 'API', 'FOLDER', 'LAST', 'OUTCOME'];
  const refused = rules
    .filter(({ last }) => (last?.refused ?? 0) > 0)
    .map(({ rule }) => {
      const place = path.join(rule.folder, 'refused');
      return `Refused files, each with a note of the reason: ${plain(place)}`;
    });
  const listed = table(heading, rows, 'There are no watched folders yet.');
  const text = [listed, ...refused].join('\n');
  return answer({ items }, text, exitOfRules(rules));
}

function lastText({ last }: IntakeRuleView): string {
  if (last === null) return '';
  return last.failure === null ? countsText(last) : last.failure.message;
}

async function addRule(session: Session, name: string, options: RuleOptions): Promise<Answer> {
  const terms = await applyTermOptions(session, defaultTerms, options.folder ?? '', options);
  const rule = await session.api['intake.saveRule']({ ...terms, name, isOn: true });
  return answer({ rule }, savedText('Added', rule));
}

async function editRule(session: Session, name: string, options: RuleOptions): Promise<Answer> {
  const { rule: before } = await ruleNamed(session, folderRules, name);
  const terms = await applyTermOptions(session, before, options.folder ?? before.folder, options);
  const { id, isOn } = before;
  const rule = await session.api['intake.saveRule']({ ...terms, id, isOn, name: before.name });
  return answer({ rule }, savedText('Changed', rule));
}

const savedText = (done: string, { name, folder }: IntakeRule): string =>
  `${done} "${plain(name)}": PDFs in ${plain(folder)} become drafts.`;

async function runRule(session: Session, name: string): Promise<Answer> {
  const { rule } = await ruleNamed(session, folderRules, name);
  const { jobId } = await session.api['intake.runRule']({ id: rule.id });
  return answerAfterImport(session, jobId);
}

/** `folders preview`: shows what a run would do with each file. Stores and moves nothing. */
async function previewFolder(session: Session, name: string): Promise<Answer> {
  const { rule } = await ruleNamed(session, folderRules, name);
  const { files, total } = await session.api['intake.preview']({ id: rule.id });
  const items = files.map((one) =>
    one.what === 'refused'
      ? { file: one.file, what: one.what, ...failedItem(one.failure) }
      : { ...one },
  );
  const rows = files.map((one) => [one.file, plannedText(one)]);
  const heading = `${count(total, 'file')} in ${plain(rule.folder)}`;
  const text = `${heading}\n${table(['FILE', 'BECOMES'], rows, 'There are no files to import.')}`;
  return answer({ items, total }, text);
}

function plannedText(one: PlannedIntake): string {
  switch (one.what) {
    case 'draft':
      return `a draft: ${one.title}`;
    case 'sheet':
      return `rows to check: ${one.title}`;
    case 'again':
      return 'skipped: it was imported before';
    case 'same':
      return `skipped: it is the same as ${one.first}`;
    case 'refused':
      return `refused: ${one.failure.message}`;
    case 'waits':
      return waitReasonTexts[one.why];
  }
}

export const intakeCommands: AddCommands = (group, run) => {
  const listing = group
    .command('list')
    .description('list the watched folders with their last results')
    .action(() => run.withDesk('data', listRules));
  addExitSixHelp(listing, 'at least one folder is paused; `folders on NAME` turns it on again');
  example(listing, 'folders list');
  const adding = addTermOptions(
    group
      .command('add')
      .argument('<name>', 'name for the new rule')
      .description('watch a folder; `run-due` or the open window imports its files')
      .requiredOption('--folder <folder>', 'folder to watch'),
  ).action((name: string, options: RuleOptions) =>
    run.withDesk('data', (session) => addRule(session, name, options)),
  );
  example(adding, 'folders add Scans --folder ~/Scans --connection Office');
  const editing = addTermOptions(
    group
      .command('edit')
      .argument('<name>', FOLDER_RULE_HELP)
      .description('change a watched folder; settings without an option stay as they are')
      .option('--folder <folder>', 'another folder to watch'),
  ).action((name: string, options: RuleOptions) =>
    run.withDesk('data', (session) => editRule(session, name, options)),
  );
  example(editing, 'folders edit Scans --needs-data');
  for (const [word, about, work] of [
    ['preview', 'show what an import would do with each file; nothing is imported', previewFolder],
    ['run', 'import the files of a watched folder now', runRule],
  ] as const satisfies readonly (readonly [
    string,
    string,
    (session: Session, name: string) => Promise<Answer>,
  ])[]) {
    const command = group
      .command(word)
      .argument('<name>', FOLDER_RULE_HELP)
      .description(about)
      .action((name: string) => run.withDesk('data', (session) => work(session, name)));
    if (word === 'run') addExitSixHelp(command, SOME_REFUSED_HELP);
    example(command, `folders ${word} Scans`);
  }
  addRuleSwitches(group, run, folderRules);
};
