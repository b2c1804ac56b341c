import { afterEach, expect, it, vi } from 'vitest';
import { AgreementId, ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { announce } from '../../../renderer/app/announce.ts';
import { m } from '../../../renderer/ui/language.svelte.ts';
import { activity } from '../../../renderer/window/activity.svelte.ts';

// The connection to the core and the router need a window, and the test has none.
vi.mock('../../../renderer/window/desk.ts', () => ({}));
vi.mock('../../../renderer/window/router.svelte.ts', () => ({ go: () => undefined }));

const title = 'Lease';

function announced(people: readonly string[]): string | undefined {
  const send = {
    ref: OutboxRef.parse('3b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a01'),
    kind: 'create' as const,
    state: 'sent' as const,
    title,
    people: [...people],
    connectionId: ConnectionId.parse('2b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a02'),
    remoteId: AgreementId.parse('00471100001'),
    reason: null,
  };
  announce({ of: 'sends', sends: [send] });
  return activity.notice?.words();
}

afterEach(() => activity.close());

const owner = m.notified_owner();

it.each([
  [0, [], m.ending_sent({ title })],
  [1, ['Åsa'], m.ending_sent_names({ title, count: 1, names: 'Åsa' })],
  [1, [''], m.ending_sent_names({ title, count: 1, names: owner })],
  [2, ['Åsa', ''], m.ending_sent_names({ title, count: 2, names: `Åsa, ${owner}` })],
  [2, ['Åsa', 'Åsa'], m.ending_sent_names({ title, count: 2, names: 'Åsa, Åsa' })],
  [
    5,
    ['Åsa', 'Nils', 'Karin', 'Bo', ''],
    m.ending_sent_names({
      title,
      count: 5,
      names: `Åsa, Nils, Karin, ${m.about_more({ count: '2' })}`,
    }),
  ],
])(
  'the message about a send to %i people counts each, and names the owner (%j)',
  (_, people, said) => {
    expect(announced(people)).toBe(said);
  },
);
