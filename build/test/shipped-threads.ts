import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { place } from '../places.ts';

/** The only file of the program with the paths of threads. */
const THREADS_FILE = place('electron/adapters/threads/file.ts');
/**
 * Pattern of the expression in `THREADS_FILE` that chooses between the source and the bundle of a thread.
 */
const THREAD_CHOICE_PATTERN = /new URL\([^;]*, here\);/;

/**
 * Makes the program start its threads from the bundle, as shipped. From the sources, each start
 * strips the types of some fifty files and compiles them, which is three times the work, and a run
 * of all tests starts thousands of threads. Throws if `threadFile` has an unknown form.
 */
export function shippedThreadsPlugin(): Plugin {
  const bundles = pathToFileURL(place('dist/electron')).href;
  return {
    name: 'shipped-threads',
    enforce: 'pre',
    transform(code, id) {
      if (id !== THREADS_FILE) return null;
      const changed = code.replace(
        THREAD_CHOICE_PATTERN,
        `new URL(\`${bundles}/\${bundled}.mjs\`);`,
      );
      if (changed === code) throw new Error(`${id}: its choice of a thread's file was not found`);
      return { code: changed, map: null };
    },
  };
}
