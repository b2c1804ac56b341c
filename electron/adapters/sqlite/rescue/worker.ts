import { serveData } from '../database/serve-data.ts';
import { type SalvageParameters, salvage } from './salvage.ts';

/* Reads a damaged data file off the main loop. */

const tasks = {
  salvage: (order: SalvageParameters) => salvage(order, (...pages) => report(...pages)),
};
export type RescueTasks = typeof tasks;

const report = serveData(tasks);
