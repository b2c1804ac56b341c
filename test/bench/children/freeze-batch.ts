/*
 * Freezes a batch of rows with a PDF of a megabyte each, in its own process, and prints the maximum
 * memory of the process in megabytes. The argument is the number of rows.
 */
import { tempDatabase } from '../../adapters/sqlite/temp-database.ts';
import { addBatch, addLease, leaseV1, people, realForms } from '../../support/desks/batch-desk.ts';
import { addConnection, createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';

const MEGABYTE = 1024 * 1024;
const KIB_PER_MIB = 1024;

const count = Number(process.argv[2]);
using temp = tempDatabase();
const { templates } = temp.stores;
const desk = startMemoryDesk({
  ...createWorld(),
  stores: { ...temp.stores, journal: [], actionJournal: [] },
  pdf: realForms(),
});
const { id: connectionId } = await addConnection(desk, 'v1');
const template = await addLease(desk, leaseV1);
// Use a form with a megabyte of additional bytes; reading it is not measured.
const filler = Buffer.alloc(MEGABYTE, 0x20);
const padded = new Uint8Array(Buffer.concat([templates.pdf(template.id), filler]));
templates.save({ ...templates.get(template.id) }, padded);
const batch = await addBatch({ desk, connectionId }, templates.get(template.id), people(count));
const { id, revision } = batch;
const { jobId } = await desk.api['batches.send']({ id, confirm: count, revision });
const { state } = await desk.finish(jobId);
if (state !== 'done') throw new Error(`The batch is ${state}`);
await desk.desk.stop();
process.send?.(process.resourceUsage().maxRSS / KIB_PER_MIB, () => process.exit());
