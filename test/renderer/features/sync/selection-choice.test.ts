import { describe, expect, it } from 'vitest';
import { choiceFor, selectionOf } from '../../../../renderer/features/sync/selection-choice.ts';

describe('the filter for reading from the service again', () => {
  it.each([
    [{ states: ['waiting'] }, { state: 'READY_TO_SIGN' }, 'NOT_SIGNED'],
    [{ states: ['waiting', 'part-signed'] }, { state: 'AWAITING' }, 'NOT_SIGNED'],
    [{ states: ['part-signed'] }, { state: 'SIGNED' }, 'NOT_SIGNED'],
    [{ states: ['signed'] }, { state: 'SIGNED_BY_ALL' }, 'CLOSED'],
    [{ states: ['rejected'] }, { state: 'REJECTED' }, 'REJECTED'],
    [{ states: ['revoked'] }, { state: 'REVOKED' }, 'ALL'],
    [{ states: ['rejected', 'revoked'] }, { state: 'CANCELLED' }, 'ALL'],
    [{}, { state: 'AWAITING' }, 'ALL'],
  ] as const)('starts with the filter of the list: %j', (filter, v1, status) => {
    const choice = choiceFor({ ...filter, states: [...('states' in filter ? filter.states : [])] });
    expect(selectionOf('v1', choice)).toEqual(v1);
    expect(selectionOf('v2', choice)).toEqual({ status });
  });

  it('includes the list’s dates, for each API in its own way', () => {
    const updated = choiceFor({ updatedFrom: 1, updatedTo: 2 });
    expect(selectionOf('v1', updated)).toEqual({ active: { from: 1, to: 2 } });
    expect(selectionOf('v2', updated)).toEqual({ status: 'MODIFIED', from: 1, to: 2 });
    const closed = choiceFor({ states: ['signed'], closedTo: 2, templateId: 'lease' });
    expect(selectionOf('v1', closed)).toEqual({ state: 'SIGNED_BY_ALL' });
    expect(selectionOf('v2', closed)).toEqual({ status: 'CLOSED', templateId: 'lease', to: 2 });
  });

  it('requires at least one date if it filters by dates', () => {
    const choice = choiceFor({});
    choice.by = 'dates';
    expect(selectionOf('v1', choice)).toBeNull();
    choice.to = 5;
    expect(selectionOf('v1', choice)).toEqual({ active: { to: 5 } });
  });
});
