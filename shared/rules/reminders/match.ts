import type { ReminderFilter, ReminderRule } from '../../contract/reminders.ts';
import type { ConnectionId, TemplateId } from '../../model/ids.ts';
import type { AgreementState } from '../../model/agreement.ts';

export interface RuleSubject {
  readonly connectionId: ConnectionId;
  readonly state: AgreementState;
  readonly tags: Readonly<Record<string, string>> | null;
  /** Template of the agreement's batch; null if this computer did not send it in a batch. */
  readonly templateId: TemplateId | null;
  readonly isOwn: boolean;
}

/** Data by which rules are sorted: of rules with equally many conditions, the oldest applies. */
type RankedRule = Pick<ReminderRule, 'id' | 'filter' | 'createdAt'>;

/** Sorts rules in the order of evaluation: the most specific rule is first. */
export function sortBySpecificity<Rule extends RankedRule>(
  rules: readonly Rule[],
): readonly Rule[] {
  return rules.toSorted(
    (one, other) =>
      filterSpecificity(other.filter) - filterSpecificity(one.filter) ||
      one.createdAt - other.createdAt ||
      (one.id < other.id ? -1 : 1),
  );
}

/** Finds the rule for an agreement among rules sorted by `sortBySpecificity`; null if none applies. */
export function findRuleFor<Rule extends RankedRule>(
  rules: readonly Rule[],
  one: RuleSubject,
): Rule | null {
  return rules.find(({ filter }) => isMatch(filter, one)) ?? null;
}

function isMatch(filter: ReminderFilter, one: RuleSubject): boolean {
  const { connectionIds, states, tag, templateId, ownOnly } = filter;
  if (ownOnly && !one.isOwn) return false;
  if (connectionIds !== undefined && !connectionIds.includes(one.connectionId)) return false;
  if (states !== undefined && !states.some((state) => state === one.state)) return false;
  if (templateId !== undefined && templateId !== one.templateId) return false;
  return tag === undefined || hasTag(one.tags, tag);
}

/** Whether the tags include `tag`: a key or `key=value`. A key has no `=` (API v1, "Tags"). */
function hasTag(tags: RuleSubject['tags'], tag: string): boolean {
  if (tags === null) return false;
  const at = tag.indexOf('=');
  if (at === -1) return Object.hasOwn(tags, tag);
  const key = tag.slice(0, at);
  return Object.hasOwn(tags, key) && tags[key] === tag.slice(at + 1);
}

function filterSpecificity({ connectionIds, states, tag, templateId }: ReminderFilter): number {
  return [connectionIds, states, tag, templateId].filter((one) => one !== undefined).length;
}
