import type { Handlers } from '../../../shared/contract/index.ts';
import { Person, type PersonExport, type PersonId } from '../../../shared/contract/people.ts';
import { PersonFile } from '../../../shared/contract/person-file.ts';
import { AppError } from '../../../shared/errors.ts';
import { jsonSchemaOf } from '../../../shared/json-schema.ts';
import { foldName, safeStem } from '../../../shared/rules/files/file-name.ts';
import { saveBytes } from '../bytes/save.ts';
import type { JobOutcome, JobQueue, Progress } from '../job-queue.ts';
import type { Chance, Clock, Encoding, Files, Scheduler, Stores } from '../ports.ts';
import { tracesOf } from './forget.ts';
import { personPage } from './person-page.ts';
import type { CollectedPersonData } from './ports.ts';

interface EverythingPorts {
  readonly stores: Pick<Stores, 'people'>;
  readonly files: Files;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly encoding: Encoding;
  readonly scheduler: Scheduler;
}

const toIsoTime = (at: number): string => new Date(at).toISOString();

/** Exports all data about one person as files for that person. */
export function createPersonDataHandlers(
  ports: EverythingPorts,
): Pick<Handlers, 'people.everything'> {
  return {
    'people.everything': async ({ id, folder }) => {
      ports.stores.people.get(id);
      const jobId = ports.jobs.start('export-person', (signal, report) =>
        writeEverything(ports, { id, folder }, signal, report),
      );
      return { jobId };
    },
  };
}

async function writeEverything(
  ports: EverythingPorts,
  order: { readonly id: PersonId; readonly folder: string },
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<PersonExport>> {
  const { stores, files, clock, chance, encoding } = ports;
  const { person } = stores.people.get(order.id);
  const found = stores.people.collect(order.id, tracesOf(ports, order.id, person));
  // The folder's name does not contain the person's name, so that it does not reveal the person.
  const day = toIsoTime(clock.now()).slice(0, 10);
  const folder = files.join(order.folder, `person-${day}-${chance.uuid().slice(0, 8)}`);
  await files.prepareFolder(order.folder, false);
  await files.prepareFolder(folder);
  const total = 3 + found.drafts.reduce((sum, one) => sum + one.files.length, 0);
  const written = { files: 0, bytes: 0 };
  const save = async (name: string, data: Uint8Array): Promise<void> => {
    if (signal.aborted) throw new AppError('cancelled', 'The export was stopped');
    const { bytes } = await saveBytes(files, files.join(folder, name), data);
    written.files += 1;
    written.bytes += bytes;
    report({ done: written.files, total });
    await ports.scheduler.yield();
  };
  const taken = new Set(['person.json', 'person.schema.json', 'person.html']);
  const drafts: PersonFile['drafts'] = [];
  for (const { id, files: attached, createdAt, updatedAt, ...draft } of found.drafts) {
    const listed: PersonFile['drafts'][number]['files'] = [];
    for (const { id: fileId, name, sha256 } of attached) {
      const data = stores.people.draftFile(id, fileId);
      if (data === null) continue;
      const file = freeName(name, taken);
      await save(file, data);
      listed.push({ name, file, sha256 });
    }
    const times = { createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) };
    drafts.push({ ...draft, ...times, files: listed });
  }
  const whole = personFile(person, found, drafts, clock.now());
  await save('person.json', encoding.utf8(`${JSON.stringify(whole, null, 2)}\n`));
  await save('person.schema.json', encoding.utf8(jsonSchemaOf(PersonFile, 'person.json')));
  await save('person.html', encoding.utf8(personPage(whole)));
  const counts = {
    drafts: drafts.length,
    copies: found.copies.length,
    batchRows: found.batchRows.length,
    corrections: found.corrections.length,
    records: found.records.length,
    evidence: found.evidence.length,
  };
  return { result: { folder, ...written, ...counts }, failure: null };
}

function personFile(
  person: Person,
  found: CollectedPersonData,
  drafts: PersonFile['drafts'],
  now: number,
): PersonFile {
  return PersonFile.parse({
    format: 'signing-desk-person',
    version: 1,
    madeAt: toIsoTime(now),
    person,
    ...found,
    drafts,
    corrections: found.corrections.map((one) => ({ ...one, at: toIsoTime(one.at) })),
    records: found.records.map((one) => ({ ...one, at: toIsoTime(one.at) })),
    archive: found.archive.map((one) => ({ ...one, savedAt: toIsoTime(one.savedAt) })),
  });
}

/**
 * Returns a name that no other exported file has: files of several drafts may have the same name,
 * and none may replace a file that the program writes.
 */
function freeName(name: string, taken: Set<string>): string {
  const ending = /\.[a-z0-9]{1,16}$/i.exec(name)?.[0] ?? '';
  const stem = safeStem(name.slice(0, name.length - ending.length)) || 'file';
  let free = stem + ending;
  for (let copy = 2; taken.has(foldName(free)); copy += 1) free = `${stem} (${copy})${ending}`;
  taken.add(foldName(free));
  return free;
}
