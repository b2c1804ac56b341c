import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import {
  parseAnchor,
  readAnchors,
  writeAnchor,
} from '../../../electron/core/evidence/anchor-files.ts';
import { EvidenceLog } from '../../../electron/core/evidence/log.ts';
import { reviewed } from '../../support/evidence-facts.ts';
import { keptVault } from '../../support/fakes/kept-vault.ts';
import { createMemoryFiles, createMemoryWitness } from '../../support/fakes/memory-ports.ts';
import { createMemoryStores } from '../../support/fakes/memory-stores.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const FOLDER = '/office';

let now = 0;
const clock = { now: () => now, after: () => () => undefined };
let files: ReturnType<typeof createMemoryFiles>;
let log: EvidenceLog;

const newLog = (first: string): EvidenceLog => {
  const made = new EvidenceLog({
    evidence: createMemoryStores().evidence,
    vault: keptVault(),
    externalState: createMemoryWitness(),
    origin: { user: 'maria', computer: 'desk', program: 'Signing Desk' },
    clock,
    sha256: (data) => createHash('sha256').update(data).digest('hex'),
    encoding: createEncoding(),
    emit: () => undefined,
  });
  made.append(reviewed(first));
  return made;
};
const portsOf = (evidenceLog: EvidenceLog) => ({ evidenceLog, files, clock });
const nameOn = (day: string, of = log) =>
  `${FOLDER}/signing-desk-evidence-${of.name()}-${day}.json`;

beforeEach(() => {
  now = Date.UTC(2026, 10, 22, 12);
  files = createMemoryFiles();
  log = newLog('x');
});

describe('an anchor in a folder', () => {
  it('is one file for each day, with the state of the log at that time', async () => {
    const first = await writeAnchor(portsOf(log), FOLDER);
    expect(first).toEqual({ file: nameOn('2026-11-22'), anchor: log.head() });
    log.append(reviewed('y'));
    const second = await writeAnchor(portsOf(log), FOLDER);
    expect([second.file, second.anchor.entries]).toEqual([first.file, 2]);
    now += DAY;
    // The log did not change, so yesterday’s anchor is still current.
    expect(await writeAnchor(portsOf(log), FOLDER)).toEqual(second);
    log.append(reviewed('z'));
    const third = await writeAnchor(portsOf(log), FOLDER);
    expect(third.file).toBe(nameOn('2026-11-23'));
    expect(await readAnchors(portsOf(log), FOLDER)).toEqual([second.anchor, third.anchor]);
  });

  it('belongs to one log: two computers may share the folder', async () => {
    const other = newLog('other');
    await writeAnchor(portsOf(log), FOLDER);
    await writeAnchor(portsOf(other), FOLDER);
    expect(await readAnchors(portsOf(log), FOLDER)).toEqual([log.head()]);
    expect(await readAnchors(portsOf(other), FOLDER)).toEqual([other.head()]);
  });

  it('is not written when the last anchor in the folder has more entries than the log', async () => {
    const cut = { ...log.head(), entries: 9 };
    await files.replaceText(nameOn('2026-11-21'), JSON.stringify(cut));
    await expect(writeAnchor(portsOf(log), FOLDER)).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'evidence-broken' },
    });
    expect([...files.texts.keys()]).toEqual([nameOn('2026-11-21')]);
  });

  it('replaces a file that is not an anchor', async () => {
    await files.replaceText(nameOn('2026-11-22'), 'damaged');
    expect(await readAnchors(portsOf(log), FOLDER)).toEqual([]);
    const { file } = await writeAnchor(portsOf(log), FOLDER);
    expect(parseAnchor(files.texts.get(file) ?? '')).toEqual(log.head());
  });

  it('is read from its own files only, and from the last four hundred days', async () => {
    const anchorOf = (entries: number) => ({ ...log.head(), entries });
    const put = (name: string, entries: number) =>
      files.replaceText(name, JSON.stringify(anchorOf(entries)));
    for (let day = 0; day <= 400; day += 1) {
      await put(nameOn(new Date(now - day * DAY).toISOString().slice(0, 10)), day);
    }
    await put(`${nameOn('2026-11-20')}.bak`, 999);
    await put(`${FOLDER}/notes.json`, 999);
    const read = (await readAnchors(portsOf(log), FOLDER)).map(({ entries }) => entries);
    expect(read).toEqual(Array.from({ length: 400 }, (_, at) => 399 - at));
  });
});

it.each(['', 'not JSON', '[]', '{}', '{"format":"other","entries":1,"hash":"ab","at":1}'])(
  'a file with the content %j is not an anchor',
  (text) => {
    expect(parseAnchor(text)).toBeNull();
  },
);
