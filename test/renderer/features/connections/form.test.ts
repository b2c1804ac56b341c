import { expect, it, vi } from 'vitest';
import type { NewConnection } from '../../../../shared/contract/connections.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';

/** The connections that the core was asked to store. */
const stored = vi.hoisted((): NewConnection[] => []);

vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: {
    'connections.add': async (connection: NewConnection) => {
      stored.push(connection);
      return connection;
    },
    'connections.list': async () => [],
  },
  failureOf: (error: unknown) => error,
  on: () => () => undefined,
}));

const { ConnectionForm } = await import('../../../../renderer/features/connections/form.svelte.ts');

it('a mistyped organisation number of a connection is saved only after it was confirmed', async () => {
  const form = new ConnectionForm('v2');
  form.orgNo = '559999-0009';
  expect(await form.save()).toBeNull();
  expect(form.orgNoDoubt).toBe(m.problem_check_digit());
  expect(stored).toEqual([]);
  form.confirmedOrgNo = form.orgNo;
  await form.save();
  expect(stored).toMatchObject([{ orgNo: '559999-0009' }]);
  form.orgNo = '559999-0008';
  expect(form.orgNoDoubt).toBeNull();
});
