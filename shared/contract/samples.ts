import * as z from 'zod';
import { call } from './call.ts';
import { BatchId, TemplateId } from '../model/ids.ts';

export const sampleCalls = {
  /**
   * A template and a batch to try the program with, for the built-in service; nothing is sent. What
   * is there under its name is not added again. Throws 'not-found' without a demo connection.
   */
  'samples.add': call(z.object({}), z.object({ template: TemplateId, batch: BatchId })),
} as const;
