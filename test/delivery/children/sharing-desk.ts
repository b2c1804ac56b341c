/*
 * Runs one computer of an office, with shared drafts and a shared address book, in its own process.
 * Depending on the order, the computer writes until it is killed, exchanges data until nothing is
 * new, or reports its final data.
 */
import { appendFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createLogFiles } from '../../../electron/adapters/system/log-files.ts';
import { createLog } from '../../../electron/adapters/system/log.ts';
import { originOf, systemChance, systemClock } from '../../../electron/adapters/system/platform.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { openData } from '../../../electron/compose/data.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { createByteExchange } from '../../../electron/core/bytes/exchange.ts';
import { DraftContent } from '../../../shared/contract/drafts.ts';
import { DraftId } from '../../../shared/model/ids.ts';
import { entryOf } from '../../support/person-entry.ts';
import { createRandom } from '../random.ts';
import { SharingOrder, type DeskReport } from './sharing-order.ts';

const order = SharingOrder.parse(JSON.parse(process.env['DESK_ORDER'] ?? '{}'));
const PAUSE_MS = 15;
const ROUNDS = 60;

const dataDir = path.join(order.folder, 'data');
const log = createLog(dataDir, systemClock);
const data = await openData({
  folder: dataDir,
  systemWays: async () => [],
  stateDir: path.join(order.folder, 'state'),
  clock: systemClock,
  chance: systemChance,
  log,
  logFiles: createLogFiles(dataDir),
  atKillPoint: () => undefined,
  bytes: createByteExchange(systemClock, systemChance),
  vault: createVault({ store: 'keyfile', path: order.keyfile, dataDir }),
  toFailure: createToFailure(log),
  profile: 'own',
  demo: undefined,
  locale: 'en',
  language: null,
  interactive: true,
  emit: () => undefined,
  origin: originOf('0'),
  updater: { way: 'checkout' },
  version: '1.0.0',
});
const { handlers } = data.desk;
const random = createRandom(order.seed);
writeSync(1, 'open\n');
if (order.does === 'write') await write();
else if (order.does === 'settle') await settle();
else writeFileSync(order.file, JSON.stringify(await report()));
await data.close();
writeSync(1, 'settled\n');
process.exit();

/** Writes texts; a text that the program rejects counts as not stored. */
async function write(): Promise<void> {
  for (let count = 0; ; count += 1) {
    const text = `t${String(order.seed)}x${String(count)}`;
    await step(random(), text).then(
      (isKept) => {
        if (isKept) appendFileSync(order.file, `${text}\n`);
      },
      () => undefined,
    );
    await wait(random() * PAUSE_MS);
  }
}

async function step(what: number, text: string): Promise<boolean> {
  const id = order.drafts[Math.floor(random() * order.drafts.length)];
  if (what < 0.15) await handlers['office.exchange']({});
  else if (what < 0.3) {
    await handlers['people.save']({
      id: null,
      entry: entryOf({ firstName: text, lastName: 'Ek' }),
    });
    return true;
  } else if (id !== undefined && what < 0.4) await handlers['office.leaveDraft']({ draft: id });
  else if (id !== undefined) {
    const { content, revision } = await handlers['drafts.show']({ id });
    const written = withText(DraftContent.parse(content), text);
    await handlers['drafts.save']({ id, revision, connectionId: null, content: written });
    return true;
  }
  return false;
}

function withText(content: DraftContent, text: string): DraftContent {
  if (content.api === 'v2') throw new Error('It is of the other API');
  return { ...content, body: { ...content.body, tags: { ...content.body.tags, [text]: '1' } } };
}

/** Exchanges data until this computer gets no new data; others may write at the same time. */
async function settle(): Promise<void> {
  for (let round = 0, quiet = 0; quiet < 3; round += 1) {
    if (round > ROUNDS) throw new Error('Something is always new');
    const count = await handlers['office.exchange']({}).catch(() => null);
    const isQuiet = count !== null && count.received === 0 && count.sent === 0;
    quiet = isQuiet ? quiet + 1 : 0;
    await wait(100);
  }
}

async function report(): Promise<DeskReport> {
  const together = await handlers['office.drafts']({});
  const shared: DeskReport['shared'] = {};
  const texts: string[] = [];
  for (const { id: name } of await handlers['drafts.list']({})) {
    const id = DraftId.parse(name);
    const { content } = await handlers['drafts.show']({ id });
    const found = content.api === 'v1' ? Object.keys(content.body.tags ?? {}).toSorted() : [];
    texts.push(...found);
    const isShared = together.some((one) => one.draft === id && one.keptBeside === null);
    if (isShared) shared[id] = found;
  }
  const view = { text: '', group: null, sort: 'name', direction: 'ascending' } as const;
  const people = await handlers['people.window']({ ...view, from: 0, limit: 1000 });
  return {
    shared,
    texts,
    people: people.items.map(({ title }) => title.split(' ')[0] ?? '').toSorted(),
    questions: (await handlers['office.questions']({})).length,
  };
}
