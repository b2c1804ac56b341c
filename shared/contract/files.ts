import * as z from 'zod';
import { SavedFile } from './agreements.ts';
import { call } from './call.ts';
import { BytesId } from '../model/ids.ts';

export const fileCalls = {
  /**
   * Writes the bytes that another call returned under `out` into a folder, which is created if only
   * its last part is missing. The file gets the next free name like `fileName` and never overwrites
   * a file. Throws 'not-found' if the bytes expired, and 'storage' with the reason.
   */
  'files.save': call(
    z.object({ out: BytesId, folder: z.string().min(1), fileName: z.string().min(1).max(300) }),
    SavedFile,
  ),
} as const;
