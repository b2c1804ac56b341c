import { serveData } from '../database/serve-data.ts';
import { type SalvageOrder, salvage } from './salvage.ts';

/* Reads a damaged data file off the main loop. */

const tasks = { salvage: (order: SalvageOrder) => salvage(order, (...pages) => report(...pages)) };
export type RescueTasks = typeof tasks;

const report = serveData(tasks);
