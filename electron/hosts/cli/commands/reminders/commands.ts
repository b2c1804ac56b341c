import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ReminderRuleView } from '../../../../../shared/contract/reminders.ts';
import { isDay } from '../../../../../shared/rules/time/days.ts';
import { AGREEMENT_ID_HELP } from '../../input/options.ts';
import { toIsoText, toShownTime } from '../../input/times.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { count, plain, table } from '../../output/text.ts';
import { type AddCommands, example, addExitSixHelp, type Runner } from '../../session/group.ts';
import { agreementNamed, connectionNames } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { partyNamed } from '../actions/parties.ts';
import {
  addRuleSwitches,
  exitOfRules,
  failureItems,
  lastWithoutFailures,
  type RuleKind,
  ruleNamed,
  stateText,
  textWithFailures,
} from '../rules.ts';
import { addRuleOptions, changedRule, type RuleOptions, defaultReminderRule } from './options.ts';
import { lastText, reasons, whenText } from './words.ts';

const reminderRules: RuleKind<ReminderRuleView> = {
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
    ...[toShownTime(one.nextAt), toShownTime(one.last?.at ?? null), lastText(one)],
  ]);
  const heading = ['NAME', 'STATE', 'WHEN', 'DUE', 'NEXT', 'LAST', 'OUTCOME'];
  const items = rules.map((one) => ({
    ...one.rule,
    state: stateText(one),
    due: one.dueNow,
    next: toIsoText(one.nextAt),
    last:
      one.last === null ? null : { ...lastWithoutFailures(one.last), at: toIsoText(one.last.at) },
    ...failureItems(one),
  }));
  const text = table(heading, rows, 'There is no reminder rule yet.');
  const countOf = ({ last }: ReminderRuleView) => last?.failed ?? 0;
  return answer({ items }, textWithFailures(text, rules, countOf), exitOfRules(rules));
}

async function addRule(session: Session, name: string, options: RuleOptions): Promise<Answer> {
  const draft = await changedRule(session, defaultReminderRule(name), options);
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

/**
 * `reminders preview`: lists who would be reminded on a day, and who would not, with the reason.
 * Sends nothing.
 */
async function showReminderPreview(
  session: Session,
  { day, rule }: PreviewOptions,
): Promise<Answer> {
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
    at: toIsoText(one.at),
    count: one.count,
    since: toIsoText(one.since),
    last: toIsoText(one.lastAt),
  }));
  const held = found.held.map((one) => ({
    ...about(one),
    because: one.because,
    next: toIsoText(one.nextAt),
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
        `  ${toShownTime(one.at)}  ${plain(one.title)} - ${plain(one.party)}, no. ${one.count}, ` +
        `waiting since ${toShownTime(one.since)}`,
    ),
    ...(heldCount === 0 ? [] : [`${count(heldCount, 'party', 'parties')} would not be reminded:`]),
    ...found.held.map(
      (one) =>
        `  ${plain(one.title)} - ${plain(one.party)}: ${reasons[one.because]}` +
        (one.nextAt === null ? '' : `; next ${toShownTime(one.nextAt)}`),
    ),
    ...(heldCount > held.length ? [`  and ${heldCount - held.length} more`] : []),
    ...(outside === 0 ? [] : [`The conditions exclude ${count(outside, 'open agreement')}.`]),
    ...unable.map(
      (one) =>
        `${plain(one.connection)}: ${count(one.agreements, 'open agreement')} not reminded; ` +
        'API v2 cannot send an invitation again.',
    ),
  ].join('\n');
  return answer({ day: found.day, planned, held, heldCount, outside, unable }, text);
}

interface ExclusionOptions {
  readonly party?: string;
  readonly bounced?: true;
}

async function excludeAgreement(
  session: Session,
  id: string,
  { party, bounced }: ExclusionOptions,
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const partyId = party === undefined ? null : await partyNamed(session, key, party);
  const because = bounced === true ? 'bounced' : 'switched-off';
  await session.api['reminders.hold']({ ...key, partyId, because });
  const whom = partyId === null ? 'agreement' : 'party';
  return answer({ id: key.id, partyId, because }, `Reminder rules now skip this ${whom}.`);
}

async function listExclusions(session: Session, id: string): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const holds = await session.api['reminders.holds']({ key });
  const items = holds.map(({ partyId, because }) => ({ partyId, because }));
  const rows = items.map(({ partyId, because }) => [partyId ?? 'all', reasons[because]]);
  const none = 'No party of this agreement is excluded from reminders.';
  return answer({ items }, table(['PARTY', 'WHY'], rows, none));
}

async function includeAgreement(
  session: Session,
  id: string,
  { party }: ExclusionOptions,
): Promise<Answer> {
  const key = await agreementNamed(session, id);
  const partyId = party === undefined ? null : await partyNamed(session, key, party);
  await session.api['reminders.release']({ ...key, partyId });
  const whom = partyId === null ? 'agreement' : 'party';
  return answer({ id: key.id, partyId }, `Reminder rules include this ${whom} again.`);
}

function parsePreviewDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('Write a day (2026-11-25).');
}

export const reminderCommands: AddCommands = (group, run) => {
  addRuleCommands(group.command('rules').description('manage the reminder rules'), run);
  const previewing = group
    .command('preview')
    .description(
      'show who would be reminded on a day, and who would not be reminded and why; nothing is sent',
    )
    .addOption(
      new Option('--day <day>', 'day to show, such as 2026-11-27 (default: tomorrow)').argParser(
        parsePreviewDay,
      ),
    )
    .option('--rule <name>', 'show only this rule (see `reminders rules list`)')
    .action((options: PreviewOptions) =>
      run.withDesk('data', (session) => showReminderPreview(session, options)),
    );
  example(previewing, 'reminders preview --day 2026-11-27');
  const excluding = group
    .command('exclude')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('exclude an agreement, or one party of it, from all reminder rules')
    .option('--party <party>', 'exclude only this party: its ID, name or email address')
    .option('--bounced', 'exclude a party whose messages bounce, until its address is corrected')
    .action((id: string, options: ExclusionOptions) =>
      run.withDesk('data', (session) => excludeAgreement(session, id, options)),
    );
  example(excluding, 'reminders exclude 004711000001 --party asa@example.com --bounced');
  const showing = group
    .command('exclusions')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('list the parties of an agreement that reminder rules skip, and why')
    .action((id: string) => run.withDesk('data', (session) => listExclusions(session, id)));
  example(showing, 'reminders exclusions 004711000001');
  const including = group
    .command('include')
    .argument('<id>', AGREEMENT_ID_HELP)
    .description('include an excluded agreement or party in the reminder rules again')
    .option('--party <party>', 'include only this party: its ID, name or email address')
    .action((id: string, options: ExclusionOptions) =>
      run.withDesk('data', (session) => includeAgreement(session, id, options)),
    );
  example(including, 'reminders include 004711000001');
};

function addRuleCommands(group: Command, run: Runner): void {
  const listing = group
    .command('list')
    .description('list the reminder rules with their last results')
    .action(() => run.withDesk('data', listRules));
  addExitSixHelp(
    listing,
    'at least one rule is paused; `reminders rules on NAME` turns it on again',
  );
  example(listing, 'reminders rules list');
  const adding = addRuleOptions(
    group
      .command('add')
      .argument('<name>', 'name for the new rule')
      .description('add a reminder rule, which `run-due` or the open window runs'),
  ).action((name: string, options: RuleOptions) =>
    run.withDesk('data', (session) => addRule(session, name, options)),
  );
  example(adding, 'reminders rules add Leases --first 5 --every 2 --max 5 --tag kind=lease');
  const editing = addRuleOptions(
    group
      .command('edit')
      .argument('<name>', 'name of the rule, as `reminders rules list` shows it')
      .description('change a reminder rule; settings without an option stay as they are'),
  ).action((name: string, options: RuleOptions) =>
    run.withDesk('data', (session) => editRule(session, name, options)),
  );
  example(editing, 'reminders rules edit Leases --hours 08:00-17:00');
  addRuleSwitches(group, run, reminderRules);
}
