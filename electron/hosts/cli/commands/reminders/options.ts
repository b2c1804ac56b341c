import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  OfficeHours,
  type ReminderFilter,
  type ReminderRuleDraft,
} from '../../../../../shared/contract/reminders.ts';
import { countryOfZone, holidayCountries } from '../../../../../shared/rules/time/holidays.ts';
import { choiceOption, wholeNumberOption } from '../../input/options.ts';
import { connectionNamed } from '../../session/names.ts';
import type { Session } from '../../session/session.ts';
import { templateNamed } from '../templates/names.ts';

/** Options that make up a rule; omitted options keep the rule's current values. */
export interface RuleOptions {
  readonly first?: number;
  readonly every?: number;
  readonly max?: number;
  readonly hours?: Pick<OfficeHours, 'from' | 'to'>;
  readonly zone?: string;
  readonly country?: string;
  readonly connection?: readonly string[];
  readonly state?: readonly ('waiting' | 'part-signed')[];
  readonly tag?: string;
  readonly template?: string;
  readonly everyone?: boolean;
}

/** Returns the defaults of a rule. The time zone is that of the computer, as for most offices. */
export function defaultReminderRule(name: string): ReminderRuleDraft {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    name,
    isOn: true,
    filter: { ownOnly: true },
    firstAfterDays: 5,
    everyDays: 3,
    most: 3,
    hours: { zone, from: '09:00', to: '16:00' },
    country: countryOfZone(zone) ?? 'SE',
  };
}

export function addRuleOptions(command: Command): Command {
  return command
    .addOption(
      wholeNumberOption(
        '--first <days>',
        'days before the first reminder (5 in a new rule)',
        1,
        365,
      ),
    )
    .addOption(
      wholeNumberOption('--every <days>', 'days between two reminders (3 in a new rule)', 1, 365),
    )
    .addOption(
      wholeNumberOption('--max <times>', 'maximum number of reminders (3 in a new rule)', 1, 30),
    )
    .addOption(
      new Option(
        '--hours <from-to>',
        'office hours, in which reminders are sent (09:00-16:00 in a new rule)',
      ).argParser(parseReminderHours),
    )
    .option('--zone <zone>', 'time zone of the office, such as Europe/Stockholm')
    .addOption(
      choiceOption(
        '--country <code>',
        'country whose public holidays apply if the country of a party is not known',
        holidayCountries,
      ),
    )
    .option('--connection <name...>', 'only agreements of these connections')
    .addOption(
      new Option('--state <state...>', 'only agreements with these statuses').choices([
        'waiting',
        'part-signed',
      ]),
    )
    .option('--tag <key=value>', 'only agreements with this tag')
    .option(
      '--template <name>',
      'only agreements of batches that this computer sent with this template',
    )
    .option('--everyone', 'include agreements sent from other computers and programs')
    .option('--no-everyone', 'only agreements sent from this computer (default)');
}

function parseReminderHours(text: string): Pick<OfficeHours, 'from' | 'to'> {
  const [from = '', to = ''] = text.split('-');
  const parsed = OfficeHours.pick({ from: true, to: true }).safeParse({ from, to });
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Write two times of day (09:00-16:00).');
}

export async function changedRule(
  session: Session,
  before: ReminderRuleDraft,
  options: RuleOptions,
): Promise<ReminderRuleDraft> {
  const { first, every, max, hours, zone, country } = options;
  return {
    name: before.name,
    isOn: before.isOn,
    filter: await changedFilter(session, before.filter, options),
    firstAfterDays: first ?? before.firstAfterDays,
    everyDays: every ?? before.everyDays,
    most: max ?? before.most,
    hours: {
      zone: zone ?? before.hours.zone,
      from: hours?.from ?? before.hours.from,
      to: hours?.to ?? before.hours.to,
    },
    country: country ?? before.country,
  };
}

async function changedFilter(
  session: Session,
  before: ReminderFilter,
  { connection, state, tag, template, everyone }: RuleOptions,
): Promise<ReminderFilter> {
  const named = await Promise.all(
    (connection ?? []).map(async (name) => (await connectionNamed(session, name)).id),
  );
  const connectionIds = connection === undefined ? before.connectionIds : named;
  const templateId =
    template === undefined ? before.templateId : (await templateNamed(session, template)).id;
  return {
    connectionIds,
    states: state === undefined ? before.states : [...state],
    tag: tag ?? before.tag,
    templateId,
    ownOnly: everyone === undefined ? before.ownOnly : !everyone,
  };
}
