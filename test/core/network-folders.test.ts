import { expect, it } from 'vitest';
import { resolveLocal } from '../../electron/adapters/files/local.ts';
import { OutsideQuestions } from '../../electron/core/outside.ts';
import { ArchiveRule } from '../../shared/contract/archive.ts';
import type { HostConfirmation } from '../../shared/contract/host.ts';
import type { CallName } from '../../shared/contract/index.ts';
import { IntakeRule } from '../../shared/contract/intake.ts';
import { tempDatabase } from '../adapters/sqlite/temp-database.ts';

const SHARE = String.raw`\\maker.example\share`;
const id = 'c0000000-0000-4000-8000-000000000001';
const archiveRule = ArchiveRule.parse({
  id,
  name: 'Signed',
  folder: SHARE,
  filter: {},
  beside: [],
  when: { kind: 'by-hand' },
  createdAt: 0,
});
const intakeRule = IntakeRule.parse({
  id,
  name: 'Leases',
  folder: SHARE,
  isOn: true,
  api: 'v1',
  connectionId: null,
  templateId: null,
  needsData: true,
  createdAt: 0,
});

/** Returns what a person who refuses was asked before a call, where rules have `folder`. */
async function askedBefore(name: CallName, input: unknown, folder: string) {
  using place = tempDatabase();
  const { stores } = place;
  stores.archive.rules.save({ ...archiveRule, folder });
  stores.intake.rules.save({ ...intakeRule, folder });
  const questions: HostConfirmation[] = [];
  const outside = new OutsideQuestions({
    confirm: async (question) => {
      questions.push(question);
      return false;
    },
    stores: () => stores,
    offices: () => Promise.reject(new Error('No office')),
    network: () => null,
    describeAuthorities: () => [],
    resolveLocal: (text) => resolveLocal(text, 'linux'),
    fingerprint: (key) => key,
    originOf: (url) => url,
  });
  const refusal = await outside.check(name, input).then(
    () => null,
    (error: unknown) => error,
  );
  return { questions, refusal };
}

const cancelled = { failure: { code: 'cancelled' } };

it.each<[CallName, (folder: string) => object]>([
  ['archive.runRule', () => ({ id })],
  ['archive.switchRule', () => ({ id, isOn: true })],
  ['archive.run', (folder) => ({ folder })],
  ['archive.verify', (folder) => ({ folder })],
  ['archive.bag', (folder) => ({ folder, to: '/here' })],
  ['intake.runRule', () => ({ id })],
  ['intake.preview', () => ({ id })],
  ['intake.switchRule', () => ({ id, isOn: true })],
  ['backup.savePlan', (folder) => ({ folder, ...plan })],
  ['settings.write', (evidenceFolder) => ({ evidenceFolder })],
])(
  '%s uses a folder of a network only once a person allowed it outside of the page (SR-O4)',
  async (name, input) => {
    const { questions, refusal } = await askedBefore(name, input(SHARE), SHARE);
    expect(refusal).toMatchObject(cancelled);
    expect(questions).toEqual([
      { kind: 'server', what: SHARE, fingerprint: null, connection: null },
    ]);
    expect(await askedBefore(name, input('/here'), '/here')).toEqual({
      questions: [],
      refusal: null,
    });
  },
);

it('the preview of an unsaved rule uses a network folder only once a person allowed it', async () => {
  const terms = { api: 'v1', connectionId: null, templateId: null, needsData: false } as const;
  const { questions, refusal } = await askedBefore(
    'intake.preview',
    { folder: SHARE, ...terms },
    '/here',
  );
  expect(refusal).toMatchObject(cancelled);
  expect(questions).toMatchObject([{ kind: 'server', what: SHARE }]);
});

it('a rule with a folder on a network is switched off without a question (SR-O4)', async () => {
  for (const name of ['archive.switchRule', 'intake.switchRule'] as const) {
    const { questions } = await askedBefore(name, { id, isOn: false }, SHARE);
    expect(questions).toEqual([]);
  }
});

const plan = {
  when: { kind: 'by-hand' },
  keep: 3,
  isOn: true,
  withCredentials: false,
  administrator: null,
} as const;
