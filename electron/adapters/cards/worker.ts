import { serveThread } from '../threads/serve.ts';
import { readCards } from './read.ts';

const tasks = { read: readCards };
export type CardTasks = typeof tasks;

serveThread(tasks);
