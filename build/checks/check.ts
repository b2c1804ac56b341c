import { checkAll } from './check-all.ts';
import { forget } from './kept.ts';
import { root } from '../places.ts';

if (process.argv.includes('--anew')) await forget(root);
process.exitCode = (await checkAll()) ? 0 : 1;
