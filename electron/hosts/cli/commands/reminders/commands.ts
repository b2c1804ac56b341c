import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ReminderRuleShown } from '../../../../../shared/contract/reminders.ts';
import { isDay } from '../../../../../shared/rules/time/days.ts';
import { iso, shown } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { count, plain, table } from '../../output/text.ts';
import { type AddCommands, example, type Runner } from '../../session/group.ts';
import { agreementNamed, connectionNames } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { partyNamed } from '../actions/parties.ts';
import { addRuleSwitches, exitOfRules, type RuleKind, ruleNamed, stateText } from '../rules.ts';
import { addRuleOptions, changedRule, type RuleOptions, usualRule } from './options.ts';
import { lastText, reasons, whenText } from './words.ts';

const reminderRules: RuleKind<ReminderRuleShown> = {
  path: 'reminders rules',
  noun: 'reminder rule',
  exampleName: 'Leases',
  list: (api) => api['reminders.rules']({}),
  switch: (api, id, isOn) => api['reminders.switchRule']({ id, isOn }),
  remove: (api, id) => api['reminders.removeRule']({ id }),
};

async function listRules({ api }: Session): Promise<Answer> {
  const rules = await api['reminders.rules']({});
  const rows = rules.map((one) => [
    ...[one.rule.name, stateText(one), whenText(one.rule), String(one.dueNow)],
    ...[shown(one.nextAt), shown(one.last?.at ?? null), lastText(one)],
  ]);
  const heading = ['NAME', 'STATE', 'WHEN', 'DUE', 'NEXT', 'LAST', 'OUTCOME'];
  const items = rules.map((one) => ({
    ...one.rule,
    state: stateText(one),
    due: one.dueNow,
    next: iso(one.nextAt),
    last: one.last === null ? null : { ...one.last, at: iso(one.last.at) },
  }));
  const text = table(heading, rows, 'There is no reminder rule yet.');
  return answer({ items }, text, exitOfRules(rules));
}

async function addRule(session: Session, name: string, options: RuleOptions): Promise<Answer> {
  const draft = await changedRule(session, usualRule(name), options);
  const rule = await session.api['reminders.saveRule'](draft);
  return answer({ rule }, `Added "${plain(rule.name)}": ${whenText(rule)}.`);
}

async function editRule(session: Session, name: string, options: RuleOptions): Promise<Answer> {
  const { rule: before } = await ruleNamed(session, reminderRules, name);
  const draft = await changedRule(session, before, options);
  const rule = await session.api['reminders.saveRule']({ ...draft, id: before.id });
  return answer({ rule }, `Changed "${plain(rule.name)}": ${whenText(rule)}.`);
}

interface PreviewOptions {
  readonly day?: string;
  readonly rule?: string;
}

/** `reminders preview`: who would be reminded on a day, and who not and why. Nothing is sent. */
async function preview(session: Session, { day, rule }: PreviewOptions): Promise<Answer> {
  const ruleId =
    rule === undefined ? undefined : (await ruleNamed(session, reminderRules, rule)).rule.id;
  const found = await session.api['reminders.preview']({ day, ruleId });
  const nameOf = await connectionNames(session);
  const rules = await session.api['reminders.rules']({});
  const ruleName = new Map(rules.map((one) => [one.rule.id, one.rule.name]));
  const about = (one: (typeof found.held)[number] | (typeof found.planned)[number]) => ({
    connection: nameOf(one.connectionId),
    id: one.id,
    title: one.title,
    party: one.party,
    rule: ruleName.get(one.ruleId) ?? one.ruleId,
  });
  const planned = found.planned.map((one) => ({
    ...about(one),
    at: iso(one.at),
    count: one.count,
    since: iso(one.since),
    last: iso(one.lastAt),
  }));
  const held = found.held.map((one) => ({
    ...about(one),
    because: one.because,
    next: iso(one.nextAt),
  }));
  const unable = found.unable.map(({ connectionId, agreements }) => ({
    connection: nameOf(connectionId),
    agreements,
  }));
  const { heldCount, outside } = found;
  const text = [
    `${found.day}: ${count(planned.length, 'party', 'parties')} would be reminded.`,
    ...found.planned.map(
      (one) =>
        `  ${shown(one.at)}  ${plain(one.title)} - ${plain(one.party)}, no. ${one.count}, ` +
        `waiting since ${shown(one.since)}`,
    ),
    ...(heldCount === 0 ? [] : [`${heldCount} would not:`]),
    ...found.held.map(
      (one) =>
        `  ${plain(one.title)} - ${plain(one.party)}: ${reasons[one.because]}` +
        (one.nextAt === null ? '' : `; next ${shown(one.nextAt)}`),
    ),
    ...(heldCount > held.length ? [`  and ${heldCount - held.length} more`] : []),
    ...(outside === 0 ? [] : [`The conditions leave out ${count(outside, 'open agreement')}.`]),
    ...unable.map(
      (one) =>
        `${plain(one.connection)}: ${count(one.agreements, 'open agreement')}, and API v2 cannot ` +
        'send an invitation again.',
    ),
  ].join('\n');
  return answer({ day: found.day, planned, held, heldCount, outside, unable }, text);
}

interface HoldOptions {
  readonly party?: string;
  readonly bounced?: true;
}

async function hold(
  session: Session,
  id: string,
  { party, bounced }: HoldOptions,
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const partyId = party === undefined ? null : await partyNamed(session, key, party);
  const because = bounced === true ? 'bounced' : 'switched-off';
  await session.api['reminders.hold']({ ...key, partyId, because });
  return answer({ id: key.id, partyId, because }, 'No rule reminds of it any more.');
}

async function listHolds(session: Session, id: string): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const holds = await session.api['reminders.holds']({ key });
  const items = holds.map(({ partyId, because }) => ({ partyId, because }));
  const rows = items.map(({ partyId, because }) => [partyId ?? 'all', reasons[because]]);
  return answer({ items }, table(['PARTY', 'WHY'], rows, 'Rules may remind of it.'));
}

async function release(session: Session, id: string, { party }: HoldOptions): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const partyId = party === undefined ? null : await partyNamed(session, key, party);
  await session.api['reminders.release']({ ...key, partyId });
  return answer({ id: key.id, partyId }, 'Rules may remind of it again.');
}

function dayOption(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('Write a day (2026-11-25).');
}

/** `reminders …` */
export const reminderCommands: AddCommands = (group, run) => {
  addRuleCommands(group.command('rules').description('by which parties are reminded'), run);
  const previewing = group
    .command('preview')
    .description('say who would be reminded tomorrow, and who not and why; nothing is sent')
    .addOption(new Option('--day <day>', 'another day').argParser(dayOption))
    .option('--rule <name>', 'only what this rule does')
    .action((options: PreviewOptions) =>
      run.withDesk('data', (session) => preview(session, options)),
    );
  example(previewing, 'reminders preview --day 2026-11-27');
  const holding = group
    .command('hold <id>')
    .description('keep every rule from an agreement, or from one party of it')
    .option('--party <party>', 'only this party: its id, name or e-mail address')
    .option('--bounced', "messages to the party's address come back; until it is corrected")
    .action((id: string, options: HoldOptions) =>
      run.withDesk('data', (session) => hold(session, id, options)),
    );
  example(holding, 'reminders hold 004711000001 --party asa@example.com --bounced');
  const showing = group
    .command('holds <id>')
    .description('say which parties of an agreement no rule reminds')
    .action((id: string) => run.withDesk('data', (session) => listHolds(session, id)));
  example(showing, 'reminders holds 004711000001');
  const releasing = group
    .command('release <id>')
    .description('let rules remind of it again')
    .option('--party <party>', 'only this party')
    .action((id: string, options: HoldOptions) =>
      run.withDesk('data', (session) => release(session, id, options)),
    );
  example(releasing, 'reminders release 004711000001');
};

function addRuleCommands(group: Command, run: Runner): void {
  const listing = group
    .command('list')
    .description('list them, with what they did last; 6 when one waits for a person')
    .action(() => run.withDesk('data', listRules));
  example(listing, 'reminders rules list');
  const adding = addRuleOptions(
    group.command('add <name>').description('remind by rule; run-due or the open window does it'),
  ).action((name: string, options: RuleOptions) =>
    run.withDesk('data', (session) => addRule(session, name, options)),
  );
  example(adding, 'reminders rules add Leases --first 5 --every 2 --most 5 --tag kind=lease');
  const editing = addRuleOptions(
    group.command('edit <name>').description('change what the options say of it'),
  ).action((name: string, options: RuleOptions) =>
    run.withDesk('data', (session) => editRule(session, name, options)),
  );
  example(editing, 'reminders rules edit Leases --hours 08:00-17:00');
  addRuleSwitches(group, run, reminderRules);
}
