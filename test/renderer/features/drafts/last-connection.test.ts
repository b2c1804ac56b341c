import { describe, expect, it, vi } from 'vitest';
import { usualConnection } from '../../../../renderer/features/drafts/last-connection.ts';
import { Connection } from '../../../../shared/contract/connections.ts';
import { ConnectionId } from '../../../../shared/model/ids.ts';

// The settings need a window, and the rule does not.
vi.mock('../../../../renderer/window/settings.svelte.ts', () => ({ settings: {} }));

const idOf = (last: number) =>
  ConnectionId.parse(`2b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a0${String(last)}`);

const connection = (last: number, environment: Connection['environment']): Connection =>
  Connection.parse({
    id: idOf(last),
    name: `Office ${String(last)}`,
    api: 'v1',
    url: 'https://example.com',
    environment,
    accountId: null,
    orgNo: null,
    createdAt: 0,
  });

describe('the connection of a new draft', () => {
  const production = connection(1, 'production');
  const test = connection(2, 'test');
  const other = connection(3, 'production');
  const all = [production, test, other];

  it.each([production, test, other])('is the connection that was used last (%#)', (last) => {
    expect(usualConnection(all, null, last.id)).toBe(last);
  });

  it('is the only connection, or the selected one, regardless of the last one', () => {
    expect(usualConnection([test], null, production.id)).toBe(test);
    expect(usualConnection(all, other, test.id)).toBe(other);
  });

  it.each([
    ['no connection was used before', null],
    ['the last one, for tests, was removed', idOf(8)],
  ])('is never guessed, and must be chosen, if %s', (_, last) => {
    expect(usualConnection(all, null, last)).toBeNull();
    expect(usualConnection([], null, last)).toBeNull();
  });
});
