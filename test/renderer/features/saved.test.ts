import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError, type Failure } from '../../../shared/errors.ts';

const core = vi.hoisted((): { refusal: Error | null } => ({ refusal: null }));
vi.mock('../../../renderer/window/desk.ts', () => {
  const name = (input: unknown): unknown =>
    typeof input === 'object' && input !== null ? Reflect.get(input, 'name') : undefined;
  const answer = async (input: unknown) => {
    if (core.refusal !== null) throw core.refusal;
    return { name: name(input) };
  };
  return {
    api: new Proxy({}, { get: () => answer }),
    on: () => undefined,
    failureOf: (error: AppError): Failure => error.failure,
  };
});
// The router is replaced, because there is no address without a window.
vi.mock('../../../renderer/window/router.svelte.ts', () => ({
  router: { screen: 'settings', parts: [] },
}));

const { activity } = await import('../../../renderer/window/activity.svelte.ts');
const { m } = await import('../../../renderer/ui/language.svelte.ts');
const { ConnectionForm } = await import('../../../renderer/features/connections/form.svelte.ts');
const { JoinForm, NewOffice } = await import('../../../renderer/features/office/state.svelte.ts');
const { backups } = await import('../../../renderer/features/backup/state.svelte.ts');

const plan = {
  folder: '/backups',
  when: { kind: 'daily', at: '02:30' },
  keep: 14,
  isOn: true,
  withCredentials: false,
  administrator: null,
} as const;

const works: readonly (readonly [string, string, () => Promise<unknown>])[] = [
  [
    'a connection',
    m.settings_added({ name: 'Kontoret' }),
    () => {
      const form = new ConnectionForm('v1');
      form.name = 'Kontoret';
      return form.save();
    },
  ],
  ['a new office', m.office_made(), () => new NewOffice().make()],
  [
    'an invitation to an office',
    m.office_joined(),
    () => {
      const form = new JoinForm();
      form.file = new File(['invitation'], 'kontoret.signoffice');
      return form.join();
    },
  ],
  [
    'the first plan of the backups',
    m.backup_is_set_up(),
    () => {
      backups.form = { ...plan, phrase: 'one two', typed: 'one two' };
      return backups.save();
    },
  ],
  [
    'a changed plan of the backups',
    m.backup_plan_changed(),
    () => {
      backups.edit(plan);
      return backups.save();
    },
  ],
];

beforeEach(() => {
  core.refusal = null;
  activity.close();
});

describe.each(works)('%s', (_, words, work) => {
  it('is announced in the bar once it is saved', async () => {
    await work();
    expect(activity.notice?.words()).toBe(words);
  });

  it('is not announced as saved if it was refused', async () => {
    core.refusal = new AppError('offline', 'Nobody answers');
    await work();
    expect(activity.notice?.words()).not.toBe(words);
  });
});
