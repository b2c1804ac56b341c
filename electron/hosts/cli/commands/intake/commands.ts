import type {
  IntakePlanned,
  IntakeRule,
  IntakeRuleShown,
  IntakeWait,
} from '../../../../../shared/contract/intake.ts';
import { iso, shown } from '../../input/times.ts';
import { type Answer, answer, failedItem } from '../../output/answer.ts';
import { count, plain, table } from '../../output/text.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Session } from '../../session/session.ts';
import { addRuleSwitches, exitOfRules, type RuleKind, ruleNamed, stateText } from '../rules.ts';
import { countsText, taken } from './run.ts';
import { addTermOptions, type TermOptions, termsFrom, usualTerms } from './terms.ts';

interface RuleOptions extends TermOptions {
  readonly folder?: string;
}

const waits = {
  'being-written': 'waits: it is being written, or not whole',
  'no-data': 'waits for a .json or a row of a sheet',
  'no-pdf': 'waits for its PDF',
  'not-readable': 'waits: another program holds it, or it may not be read',
} as const satisfies Record<IntakeWait, string>;

const folderRules: RuleKind<IntakeRuleShown> = {
  path: 'intake',
  noun: 'rule for a folder',
  exampleName: 'Scans',
  list: (api) => api['intake.rules']({}),
  switch: (api, id, isOn) => api['intake.switchRule']({ id, isOn }),
  remove: (api, id) => api['intake.removeRule']({ id }),
};

async function listRules({ api }: Session): Promise<Answer> {
  const rules = await api['intake.rules']({});
  const rows = rules.map((one) => [
    ...[one.rule.name, stateText(one), one.rule.api, one.rule.folder],
    ...[shown(one.last?.at ?? null), lastText(one)],
  ]);
  const items = rules.map((one) => ({
    ...one.rule,
    state: stateText(one),
    last: one.last === null ? null : { ...one.last, at: iso(one.last.at) },
  }));
  const heading = ['NAME', 'STATE', 'API', 'FOLDER', 'LAST', 'OUTCOME'];
  const text = table(heading, rows, 'No folder is watched by rule yet.');
  return answer({ items }, text, exitOfRules(rules));
}

function lastText({ last }: IntakeRuleShown): string {
  if (last === null) return '';
  return last.failure === null ? countsText(last) : last.failure.message;
}

async function addRule(session: Session, name: string, options: RuleOptions): Promise<Answer> {
  const terms = await termsFrom(session, usualTerms, options.folder ?? '', options);
  const rule = await session.api['intake.saveRule']({ ...terms, name, isOn: true });
  return answer({ rule }, savedText('Added', rule));
}

async function editRule(session: Session, name: string, options: RuleOptions): Promise<Answer> {
  const { rule: before } = await ruleNamed(session, folderRules, name);
  const terms = await termsFrom(session, before, options.folder ?? before.folder, options);
  const { id, isOn } = before;
  const rule = await session.api['intake.saveRule']({ ...terms, id, isOn, name: before.name });
  return answer({ rule }, savedText('Changed', rule));
}

const savedText = (done: string, { name, folder }: IntakeRule): string =>
  `${done} "${plain(name)}": PDFs in ${plain(folder)} become drafts.`;

async function runRule(session: Session, name: string): Promise<Answer> {
  const { rule } = await ruleNamed(session, folderRules, name);
  const { jobId } = await session.api['intake.runRule']({ id: rule.id });
  return taken(session, jobId);
}

/** `intake preview`: what a run would do with each file. Nothing is stored or moved. */
async function preview(session: Session, name: string): Promise<Answer> {
  const { rule } = await ruleNamed(session, folderRules, name);
  const { files, total } = await session.api['intake.preview']({ id: rule.id });
  const items = files.map((one) =>
    one.what === 'refused'
      ? { file: one.file, what: one.what, ...failedItem(one.failure) }
      : { ...one },
  );
  const rows = files.map((one) => [one.file, plannedText(one)]);
  const heading = `${count(total, 'file')} in ${plain(rule.folder)}`;
  const text = `${heading}\n${table(['FILE', 'BECOMES'], rows, 'Nothing is there to take.')}`;
  return answer({ items, total }, text);
}

function plannedText(one: IntakePlanned): string {
  switch (one.what) {
    case 'draft':
      return `a draft: ${one.title}`;
    case 'sheet':
      return `rows to look at: ${one.title}`;
    case 'again':
      return 'nothing: it was taken before';
    case 'same':
      return `nothing: it is the same as ${one.first}`;
    case 'refused':
      return `refused: ${one.failure.message}`;
    case 'waits':
      return waits[one.why];
  }
}

/** `intake …` */
export const intakeCommands: AddCommands = (group, run) => {
  const listing = group
    .command('list')
    .description('list the rules, with what they did last; 6 when one waits for a person')
    .action(() => run.withDesk('data', listRules));
  example(listing, 'intake list');
  const adding = addTermOptions(
    group
      .command('add <name>')
      .description('watch a folder by rule; run-due or the open window does it')
      .requiredOption('--folder <folder>', 'which folder'),
  ).action((name: string, options: RuleOptions) =>
    run.withDesk('data', (session) => addRule(session, name, options)),
  );
  example(adding, 'intake add Scans --folder ~/Scans --connection Office');
  const editing = addTermOptions(
    group
      .command('edit <name>')
      .description('change what the options say of it')
      .option('--folder <folder>', 'another folder'),
  ).action((name: string, options: RuleOptions) =>
    run.withDesk('data', (session) => editRule(session, name, options)),
  );
  example(editing, 'intake edit Scans --needs-data');
  for (const [word, about, work] of [
    ['preview', 'say what it would do with each file now; nothing is done', preview],
    ['run', 'take what is there now', runRule],
  ] as const satisfies readonly (readonly [
    string,
    string,
    (session: Session, name: string) => Promise<Answer>,
  ])[]) {
    const command = group
      .command(`${word} <name>`)
      .description(about)
      .action((name: string) => run.withDesk('data', (session) => work(session, name)));
    example(command, `intake ${word} Scans`);
  }
  addRuleSwitches(group, run, folderRules);
};
