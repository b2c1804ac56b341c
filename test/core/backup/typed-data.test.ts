// tier: quick, 20 s, because nothing that was typed may be lost
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDesk } from '../../../electron/compose/compose.ts';
import type { Api } from '../../../shared/contract/index.ts';
import { defaultListLayout } from '../../../shared/contract/agreement-views.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import { noHostFeatures, offersNothing } from '../../support/fakes/no-host-features.ts';
import { startOfficeDesks } from '../../support/desks/office-desks.ts';

async function openEmpty(): Promise<Api> {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-typed-'));
  const keyfile = path.join(folder, 'key');
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const desk = createDesk({
    dataDir: path.join(folder, 'data'),
    stateDir: path.join(folder, 'state'),
    vault: { keyfile },
    interactive: true,
    version: '1.0.0',
    platform: 'linux',
    locale: 'en',
    documentsFolder: folder,
    features: { describe: offersNothing, ...noHostFeatures },
  });
  onTestFinished(async () => {
    await desk.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  await desk.open();
  const { api, emit } = connectDirectly(desk.handlers, desk.toFailure);
  desk.setEmit(emit);
  return api;
}

const takes = async (api: Api) => (await api['backup.room']({})).takes;

describe('a restore into the program’s own folder', () => {
  const days = { firstAfterDays: 7, everyDays: 7, most: 3 };
  const hours = { zone: 'Europe/Stockholm', from: '08:00', to: '17:00' };
  const view = { id: 'a8a2d2b5-7d0a-4a54-9f2e-3a51f7a6c001', name: 'Mine', filter: {} };
  const typed: readonly (readonly [what: string, type: (api: Api) => Promise<unknown>])[] = [
    ['a group', (api) => api['people.saveGroup']({ name: 'Board', content: null })],
    [
      'a reminder rule',
      (api) => {
        const rule = { name: 'Weekly', isOn: true, filter: { ownOnly: false }, ...days };
        return api['reminders.saveRule']({ ...rule, hours, country: 'SE' });
      },
    ],
    [
      'a named view',
      (api) => api['settings.write']({ agreementViews: [{ ...view, layout: defaultListLayout }] }),
    ],
  ];

  it.each(typed)(
    'does not overwrite data in which a person typed only %s (SR-P7)',
    async (_what, type) => {
      const api = await openEmpty();
      await api['settings.write']({ theme: 'dark', language: 'de' });
      expect(await takes(api)).toBe('yes');
      await type(api);
      expect(await takes(api)).toBe('has-data');
    },
  );

  it('does not overwrite a membership in an office, whose invitation can be used only once (SR-P8)', async () => {
    const office = await startOfficeDesks();
    onTestFinished(() => office.close());
    const { api } = await office.add('Anna');
    expect(await takes(api)).toBe('has-data');
  });
});
