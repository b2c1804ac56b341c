import { type ReminderRule, ReminderRuleId } from '../../../../shared/contract/reminders.ts';
import type { ConnectionId } from '../../../../shared/model/ids.ts';
import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import { SharedReminderRule } from '../../../../shared/rules/office/items.ts';
import type { Content } from '../../../../shared/rules/office/merge.ts';
import {
  EACH_ITEM,
  type NumberFreePaths,
  containsPersonNumber,
} from '../../../../shared/rules/people/personal-numbers.ts';
import { isSameService } from '../../../../shared/rules/office/service-name.ts';
import { orNull } from '../../app-error.ts';
import { isOwnDemo } from '../operation.ts';
import { connectionTo, serviceOf } from '../../services/same-service.ts';
import type { ItemKeeper, KeeperPorts } from './keeper.ts';

/** Paths that are not searched: an address with a port may look like a personal number. */
const IGNORED_ADDRESS_PATHS: NumberFreePaths = [['whom', 'services', EACH_ITEM]];
/** Maximum length of a name before a suffix ` (2)`; a whole name has at most 80 characters. */
const MAX_NAME_LENGTH = 75;

/**
 * Reads and writes reminder rules. One computer at a time sends the reminders for the whole office.
 * A rule for a connection to this computer's own demo is not shared.
 */
export function createReminderRuleItems({ stores }: KeeperPorts): ItemKeeper {
  const { rules } = stores.reminders;
  const found = (id: string): ReminderRule | null =>
    orNull(() => rules.get(ReminderRuleId.parse(id)).rule);
  const contentOf = (rule: ReminderRule): Json => {
    const { name, isOn, filter, createdAt, firstAfterDays, everyDays, most, hours, country } = rule;
    const { connectionIds, ...rest } = filter;
    const reached = connectionIds?.map((one) => serviceOf(stores, one)) ?? null;
    const services = reached === null ? null : namedBefore(stores, rule.id, reached);
    const when = { firstAfterDays, everyDays, most, hours, country };
    return { name, isOn, whom: { ...rest, services }, when, createdAt };
  };
  /** Returns the rule; null if this computer does not reach all services of the rule. */
  const ruleOf = (id: string, content: Content): ReminderRule | null => {
    const { whom, when, ...rest } = SharedReminderRule.parse(content);
    const { services, ...filter } = whom;
    const connectionIds = services && connectionsFor(stores, services, found(id));
    if (connectionIds?.length !== services?.length) return null;
    const chosen = { ...filter, ...(connectionIds && { connectionIds }) };
    return { id: ReminderRuleId.parse(id), ...rest, ...when, filter: chosen };
  };
  return {
    shape: { fields: {} },
    list: () => new Map(rules.list().map(({ rule }) => [rule.id, contentOf(rule)])),
    read(id) {
      const rule = found(id);
      return rule === null ? undefined : contentOf(rule);
    },
    write(id, content) {
      const here = found(id);
      if (content === undefined) {
        if (here !== null) rules.remove(here.id);
        return true;
      }
      const rule = ruleOf(id, content);
      if (rule === null) return false;
      save(rule);
      return true;
    },
    isWithheld(id) {
      const here = found(id);
      return here !== null && (isOfDemo(stores, here) || holdsNumber(contentOf(here)));
    },
    adopt(id, content, isKnown) {
      const { name } = SharedReminderRule.parse(content);
      const same = rules.list().find(({ rule }) => rule.name === name && !isKnown(rule.id));
      if (same === undefined) return;
      rules.remove(same.rule.id);
      rules.save({ ...same.rule, id: ReminderRuleId.parse(id) });
    },
    titleOf: (_id, content) => SharedReminderRule.parse(content).name,
    textOf,
  };

  /**
   * Saves a rule. If two computers gave two rules the same name, every computer renames the same
   * rule: the one with the greater ID.
   */
  function save(rule: ReminderRule): void {
    const other = named(rule.name, [rule.id]);
    if (other === undefined) {
      rules.save(rule);
    } else if (other.id < rule.id) {
      rules.save({ ...rule, name: freeName(rule) });
    } else {
      rules.save({ ...other, name: freeName(rule) });
      rules.save(rule);
    }
  }

  function named(name: string, except: readonly string[] = []): ReminderRule | undefined {
    const all = rules.list().map(({ rule }) => rule);
    return all.find((rule) => rule.name === name && !except.includes(rule.id));
  }

  function freeName({ name }: ReminderRule): string {
    for (let count = 2; ; count += 1) {
      const free = `${name.slice(0, MAX_NAME_LENGTH)} (${String(count)})`;
      if (named(free) === undefined) return free;
    }
  }
}

const holdsNumber = (content: Json): boolean =>
  containsPersonNumber(content, IGNORED_ADDRESS_PATHS);

const isOfDemo = (stores: KeeperPorts['stores'], { filter }: ReminderRule): boolean =>
  (filter.connectionIds ?? []).some((one) => isOwnDemo(stores, one));

/** Replaces services by the office's names for them: earlier versions named them differently. */
function namedBefore(
  { office }: Pick<KeeperPorts['stores'], 'office'>,
  id: string,
  services: readonly string[],
): string[] {
  const known = SharedReminderRule.safeParse(office.item('reminder-rule', id)?.content);
  const left = [...((known.success ? known.data.whom.services : null) ?? [])];
  const named = services.map((service) => {
    const at = left.findIndex((one) => isSameService(one, service));
    return at === -1 ? service : (left.splice(at, 1)[0] ?? service);
  });
  return named.toSorted();
}

/** Returns connections that reach these services, if possible the rule's current ones. */
function connectionsFor(
  stores: KeeperPorts['stores'],
  services: readonly string[],
  rule: ReminderRule | null,
): ConnectionId[] {
  const left = [...(rule?.filter.connectionIds ?? [])];
  return services.flatMap((service) => {
    const at = left.findIndex((own) => isSameService(serviceOf(stores, own), service));
    const [chosen = null] = at === -1 ? [] : left.splice(at, 1);
    return connectionTo(stores, service, chosen) ?? [];
  });
}

/** Returns the text of a name, the on/off state, the schedule or the filter (in API terms). */
function textOf(content: Content): string | null {
  if (typeof content === 'string' || typeof content === 'boolean') return String(content);
  const whole = SharedReminderRule.safeParse(content);
  if (whole.success) return whole.data.name;
  const when = SharedReminderRule.shape.when.safeParse(content);
  if (when.success) {
    const { firstAfterDays, everyDays, most, hours, country } = when.data;
    const days = [firstAfterDays, everyDays, most].map(String).join(' · ');
    return `${days} · ${hours.from}–${hours.to} ${hours.zone} · ${country}`;
  }
  const whom = SharedReminderRule.shape.whom.safeParse(content);
  if (!whom.success) return null;
  const { services, states = [], tag } = whom.data;
  return [...(services ?? []), ...states, ...(tag === undefined ? [] : [tag])].join(' · ');
}
