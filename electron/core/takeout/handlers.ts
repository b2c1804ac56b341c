import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { TakeoutPorts } from './ports.ts';
import { readDataExport } from './read.ts';
import { writeDataExport } from './write.ts';

/** Exports all data of this computer in open formats, and imports such exports. */
export function createDataExportHandlers(ports: TakeoutPorts): HandlersOf<'takeout'> {
  const { jobs } = ports;
  const read = (folder: string, isImport: boolean) => ({
    jobId: jobs.start('import-data', (signal, report) =>
      readDataExport(ports, folder, isImport, signal, report),
    ),
  });
  return {
    'takeout.write': async ({ folder }) => ({
      jobId: jobs.start('export-data', (signal, report) =>
        writeDataExport(ports, folder, signal, report),
      ),
    }),
    'takeout.look': async ({ folder }) => read(folder, false),
    'takeout.import': async ({ folder }) => read(folder, true),
  };
}
