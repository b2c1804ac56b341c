import { expect, it, vi } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { ConnectionId } from '../../../../shared/model/ids.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';

vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: {
    'connections.replaceSecret': async ({ secret }: { secret: string }) => {
      if (secret !== 'right')
        throw new AppError('signed-out', 'No', { reason: 'credential-refused' });
    },
    'connections.list': async () => [],
    'agreements.sync': async () => ({}),
  },
  failureOf: (error: unknown) => (error instanceof AppError ? error.failure : error),
  on: () => () => undefined,
}));

const { connectionCare } = await import('../../../../renderer/features/connections/care.svelte.ts');

it('a refused new API key keeps its dialog, which shows the reason', async () => {
  const connection = {
    id: ConnectionId.parse('0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02'),
    name: 'Office',
    api: 'v1',
    url: 'https://service.example',
    environment: 'production',
    accountId: null,
    orgNo: null,
    allowed: null,
    createdAt: 1,
  } as const;
  const refusal = await connectionCare.replaceSecret(connection, 'wrong');
  expect(refusal).toBe(m.reason_credential_refused());
  expect(await connectionCare.replaceSecret(connection, 'right')).toBeNull();
});
