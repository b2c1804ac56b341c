import { describe, expect, it } from 'vitest';
import type { SyncStatus } from '../../../../shared/contract/agreements.ts';
import type { Failure } from '../../../../shared/errors.ts';
import { ConnectionId } from '../../../../shared/model/ids.ts';
import { troublesOf } from '../../../../renderer/features/sync/trouble.ts';

const [office, store, branch] = ['1', '2', '3'].map((last) =>
  ConnectionId.parse(`0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a0${last}`),
);
const refused: Failure = { code: 'signed-out', message: '401', reason: 'credential-refused' };
const offline: Failure = { code: 'offline', message: 'Nobody answers' };

function status(connectionId: ConnectionId | undefined, failure: Failure | null): SyncStatus {
  if (connectionId === undefined) throw new Error('There is no such connection');
  return { connectionId, running: false, done: 0, total: null, checkedAt: null, failure };
}

describe('the reasons why checks fail', () => {
  it('are listed once each, with all their connections', () => {
    const troubles = troublesOf([
      status(office, refused),
      status(branch, offline),
      status(store, { code: 'signed-out', message: 'Other', reason: 'credential-refused' }),
    ]);
    expect(troubles.map(({ failure, connectionIds }) => [failure.code, connectionIds])).toEqual([
      ['signed-out', [office, store]],
      ['offline', [branch]],
    ]);
  });

  it('are listed separately if the services give different explanations', () => {
    const explained = (said: string): Failure => ({ code: 'service', message: said, said });
    const statuses = [status(office, explained('Closed')), status(store, explained('Moved'))];
    expect(troublesOf(statuses)).toHaveLength(2);
  });

  it('keep their identity after the next failed check', () => {
    const first = troublesOf([status(office, refused)]);
    const second = troublesOf([status(office, refused), status(store, refused)]);
    expect(second[0]?.id).toBe(first[0]?.id);
  });

  it('are empty if every check succeeds', () => {
    expect(troublesOf([status(office, null), status(store, null)])).toEqual([]);
  });
});
