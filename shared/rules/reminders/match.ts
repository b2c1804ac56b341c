import type { ReminderFilter, ReminderRule } from '../../contract/reminders.ts';
import type { ConnectionId, TemplateId } from '../../model/ids.ts';
import type { AgreementState } from '../../model/agreement.ts';

export interface RuleSubject {
  readonly connectionId: ConnectionId;
  readonly state: AgreementState;
  readonly tags: Readonly<Record<string, string>> | null;
  /** Template of its batch; null if it was not sent in a batch, or elsewhere. */
  readonly templateId: TemplateId | null;
  readonly isOwn: boolean;
}

/** Rules with equally many conditions are ordered by age: the oldest applies. */
type Ranked = Pick<ReminderRule, 'id' | 'filter' | 'createdAt'>;

/** In the order of evaluation: the most specific first. */
export function ranked<Rule extends Ranked>(rules: readonly Rule[]): readonly Rule[] {
  return rules.toSorted(
    (one, other) =>
      filterSpecificity(other.filter) - filterSpecificity(one.filter) ||
      one.createdAt - other.createdAt ||
      (one.id < other.id ? -1 : 1),
  );
}

/** The rule for an agreement, from rules in the order of `ranked`; null for none. */
export function ruleFor<Rule extends Ranked>(
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

/** A key contains no `=` (API v1, "Tags"). */
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
