import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { place } from '../places.ts';

/** The one file of the program that says where the code of a thread is. */
const FILE = place('electron/adapters/threads/file.ts');
/** Its choice between the source and the bundle. */
const CHOICE = /new URL\([^;]*, here\);/;

/**
 * Lets the program start its threads from the bundle, as it is shipped: from the sources each start
 * strips types and compiles some fifty files, three times the work, and a run of all tests starts
 * thousands. Throws if `threadFile` is written in a form that it does not know.
 */
export function shippedThreads(): Plugin {
  const bundles = pathToFileURL(place('dist/electron')).href;
  return {
    name: 'shipped-threads',
    enforce: 'pre',
    transform(code, id) {
      if (id !== FILE) return null;
      const changed = code.replace(CHOICE, `new URL(\`${bundles}/\${bundled}.mjs\`);`);
      if (changed === code) throw new Error(`${id}: its choice of a thread's file was not found`);
      return { code: changed, map: null };
    },
  };
}
