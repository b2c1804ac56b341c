import * as z from 'zod';
import { call } from './call.ts';
import { BatchId, TemplateId } from '../model/ids.ts';

export const sampleCalls = {
  /**
   * Adds a sample template and batch for the built-in service; sends nothing. Existing items with
   * these names are not added again. Throws 'not-found' without a demo connection.
   */
  'samples.add': call(z.object({}), z.object({ template: TemplateId, batch: BatchId })),
} as const;
