import { checkAll } from './check-all.ts';

process.exitCode = (await checkAll()) ? 0 : 1;
