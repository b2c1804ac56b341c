import { beforeEach, expect, it, vi } from 'vitest';
import type { NewIdentity } from '../../../../shared/contract/signing.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';

/** The signing persons that the core was asked to store. */
const stored = vi.hoisted((): NewIdentity[] => []);

vi.mock('../../../../renderer/window/desk.ts', () => ({
  api: {
    'identities.add': async (person: NewIdentity) => {
      stored.push(person);
      return { id: 'new', name: 'Karin Lind' };
    },
    'identities.list': async () => [{ id: 'old', name: 'Karin Lind' }],
  },
  failureOf: (error: unknown) => error,
  on: () => () => undefined,
}));

const { IdentityEntry } = await import('../../../../renderer/features/identities/entry.svelte.ts');
const { signing } = await import('../../../../renderer/features/signing/state.svelte.ts');

beforeEach(() => {
  stored.splice(0);
  signing.identities.value = null;
});

/** A person with these values, as typed into the form. */
function typed(values: Partial<InstanceType<typeof IdentityEntry>['values']>) {
  const entry = new IdentityEntry();
  Object.assign(entry.values, { firstName: 'Karin', lastName: 'Lind', ...values });
  return entry;
}

it.each([
  ['personNumber', '19850709-9806'],
  ['orgNo', '556036-0794'],
] as const)(
  'a person whose %s has a wrong check digit is saved only after the user confirmed the number',
  async (field, number) => {
    const entry = typed({ [field]: number });
    expect(entry.doubtOf(field)).toBeNull();
    expect(await entry.save()).toBeNull();
    expect(entry.doubtOf(field)).toBe(m.problem_check_digit());
    expect(stored).toEqual([]);
    entry.confirmed[field] = number;
    expect(await entry.save()).not.toBeNull();
    expect(stored).toMatchObject([{ [field]: number }]);
  },
);

it('another number than the confirmed one has to be confirmed again', async () => {
  const entry = typed({ personNumber: '19850709-9807' });
  entry.confirmed.personNumber = '19850709-9806';
  expect(await entry.save()).toBeNull();
});

it('a person with right numbers is saved without a question', async () => {
  await typed({ personNumber: '19850709-9805', orgNo: '556036-0793' }).save();
  expect(stored).toHaveLength(1);
});

it('each field of a person that cannot be saved shows its own error', async () => {
  const entry = typed({ email: 'karin(at)x', mobile: '070 12', personNumber: '9' });
  expect(await entry.save()).toBeNull();
  expect(stored).toEqual([]);
  expect(entry.firstOpen).toBe('personNumber');
  expect(entry.problemOf('personNumber')).toBe(m.problem_format_person_v1());
  expect(entry.problemOf('email')).toBe(m.problem_format_email());
  expect(entry.problemOf('mobile')).toBe(m.problem_format_mobile());
  expect(entry.problemOf('firstName')).toBeNull();
});

it('a name that is already in the list is shown as an error of the field for the name', async () => {
  await signing.identities.refresh();
  const entry = typed({});
  expect(await entry.save()).toBeNull();
  expect(entry.problemOf('name')).toBe(m.settings_identity_taken());
  entry.values.name = 'Karin (deputy)';
  expect(await entry.save()).not.toBeNull();
});

it('a saved or cancelled person leaves nothing behind in the form', async () => {
  const entry = typed({ role: 'CEO' });
  expect(entry.isEmpty).toBe(false);
  await entry.save();
  expect(entry.isEmpty).toBe(true);
});
