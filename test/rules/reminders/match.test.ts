import { describe, expect, it } from 'vitest';
import { ReminderRuleId } from '../../../shared/contract/reminders.ts';
import { ConnectionId, TemplateId } from '../../../shared/model/ids.ts';
import {
  type RuleSubject,
  sortBySpecificity,
  findRuleFor,
} from '../../../shared/rules/reminders/match.ts';

const uuid = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`;
const office = ConnectionId.parse(uuid(1));
const lease = TemplateId.parse(uuid(2));

const agreement: RuleSubject = {
  connectionId: office,
  state: 'waiting',
  tags: { case: 'K-77', urgent: '' },
  templateId: lease,
  isOwn: true,
};

type Filter = Parameters<typeof sortBySpecificity>[0][number]['filter'];

const rule = (id: number, filter: Filter, createdAt = 0) => ({
  id: ReminderRuleId.parse(uuid(id)),
  filter,
  createdAt,
});

describe('the check whether a reminder rule applies to an agreement', () => {
  it.each<readonly [string, Filter, boolean]>([
    ['of any computer', { ownOnly: false }, true],
    ['that this computer sent', { ownOnly: true }, true],
    ['of its connection', { ownOnly: false, connectionIds: [office] }, true],
    [
      'of another connection',
      { ownOnly: false, connectionIds: [ConnectionId.parse(uuid(9))] },
      false,
    ],
    ['in its state', { ownOnly: false, states: ['waiting'] }, true],
    ['in another state', { ownOnly: false, states: ['part-signed'] }, false],
    ['sent from its template', { ownOnly: false, templateId: lease }, true],
    [
      'sent from another template',
      { ownOnly: false, templateId: TemplateId.parse(uuid(8)) },
      false,
    ],
    ['with a tag', { ownOnly: false, tag: 'urgent' }, true],
    ['with a tag of this value', { ownOnly: false, tag: 'case=K-77' }, true],
    ['with a tag of another value', { ownOnly: false, tag: 'case=K-7' }, false],
    ['with a tag that every object has', { ownOnly: false, tag: 'constructor' }, false],
  ])('%s', (_, filter, isMatched) => {
    expect(findRuleFor([rule(3, filter)], agreement) !== null).toBe(isMatched);
  });

  it('sent by another computer is true only if the rule includes agreements of other computers', () => {
    const theirs = { ...agreement, isOwn: false };
    expect(findRuleFor([rule(3, { ownOnly: true })], theirs)).toBeNull();
    expect(findRuleFor([rule(3, { ownOnly: false })], theirs)).not.toBeNull();
  });

  it('sent without a batch is true only if the rule names no template', () => {
    const single = { ...agreement, templateId: null };
    expect(findRuleFor([rule(3, { ownOnly: false, templateId: lease })], single)).toBeNull();
  });
});

it('of several matching reminder rules the narrowest applies, and of equally narrow ones the oldest', () => {
  const all = rule(3, { ownOnly: false }, 1);
  const tagged = rule(4, { ownOnly: false, tag: 'urgent' }, 3);
  const older = rule(5, { ownOnly: false, states: ['waiting'] }, 2);
  const decides = (...rules: readonly (typeof all)[]) =>
    findRuleFor(sortBySpecificity(rules), agreement)?.id;
  expect(decides(all, tagged)).toBe(tagged.id);
  expect(decides(tagged, older, all)).toBe(older.id);
  expect(decides(all)).toBe(all.id);
});
