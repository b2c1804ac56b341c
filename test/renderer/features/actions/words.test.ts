import { describe, expect, it } from 'vitest';
import { resultText } from '../../../../renderer/features/actions/words.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';
import type { ActionsResult } from '../../../../shared/contract/actions.ts';
import type { Failure } from '../../../../shared/errors.ts';
import { AgreementId, ConnectionId } from '../../../../shared/model/ids.ts';

const connectionId = ConnectionId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02');
const target = (id: string, title = `Avtal ${id}`) => ({
  connectionId,
  id: AgreementId.parse(id),
  title,
});
const done = (id: string, wasAlready = false): ActionsResult['done'][number] => ({
  ...target(id),
  wasAlready,
  told: null,
  reminded: 1,
});
const offline: Failure = { code: 'offline', message: 'No network' };
const failed = (id: string) => ({ ...target(id), failure: offline });

const textOf = (result: Partial<ActionsResult>): string =>
  resultText({ done: [], failed: [], unknown: [], ...result }, (title, wasAlready) =>
    wasAlready ? `${title} was reminded before` : `${title} is reminded`,
  );

describe('the result of an action', () => {
  it('on one agreement is its own sentence', () => {
    expect(textOf({ done: [done('1')] })).toBe('Avtal 1 is reminded');
    expect(textOf({ done: [done('1', true)] })).toBe('Avtal 1 was reminded before');
  });

  it('on two parties of one agreement is the sentence for one agreement', () => {
    expect(textOf({ done: [done('1'), done('1')] })).toBe('Avtal 1 is reminded');
  });

  it.each([
    [[1], 'The reminder is scheduled'],
    [[1, 1], '2 reminders are scheduled'],
    [[2], '2 reminders are scheduled'],
    [[1, 2, 2], '5 reminders are scheduled'],
  ])('of a reminder counts the notifications to all parties of the agreement: %j', (each, text) => {
    const rows = each.map((reminded) => Object.assign(done('1'), { reminded }));
    const result = { done: rows, failed: [], unknown: [] };
    expect(resultText(result, (_title, _was, count) => m.remind_done({ count }))).toBe(text);
  });

  it('on several agreements counts each agreement once', () => {
    expect(textOf({ done: [done('1'), done('2')] })).toBe('2 agreements done');
    const three = [done('1'), done('2'), done('2'), done('3')];
    expect(textOf({ done: three })).toBe('3 agreements done');
  });

  it('counts what was done if a part failed, and names the only agreement that failed', () => {
    const why = m.failure_offline();
    expect(textOf({ failed: [failed('1')] })).toBe(m.result_failed({ title: 'Avtal 1', why }));
    const half = { done: [done('1')], failed: [failed('2')] };
    expect(textOf(half)).toBe(m.result_partly({ done: 1, failed: 1, why }));
  });

  it('quotes the reason of the service if the service refuses the request (AP-22)', () => {
    const refused: Failure = { code: 'invalid', message: 'HTTP 422: Too late', said: 'Too late' };
    const of = (failure: Failure): string => textOf({ failed: [{ ...target('1'), failure }] });
    const why = m.result_refused_because({ why: 'Too late' });
    expect(of(refused)).toBe(m.result_failed({ title: 'Avtal 1', why }));
    const field = m.result_refused_because({ why: 'Not a day' });
    expect(of({ ...refused, fields: { expireOn: 'Not a day' } })).toContain(field);
  });

  it('is an unknown outcome even if another agreement was done', () => {
    const unsure = { done: [done('1')], unknown: [failed('2')] };
    expect(textOf(unsure)).toBe(m.result_unknown({ title: 'Avtal 2' }));
    expect(textOf({})).toBe(m.result_nothing());
  });
});
