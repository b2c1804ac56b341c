import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { place } from '../places.ts';

/** Where a module names the file of its thread: beside it in the sources, by its name when bundled. */
const THREAD =
  /new URL\(\s*import\.meta\.url\.endsWith\('\.ts'\) \? '[^']+' : '\.\/([\w-]+\.mjs)',\s*import\.meta\.url,\s*\)/;
const MENTION = "import.meta.url.endsWith('.ts')";

/**
 * Lets the program start its threads from the bundle, as it is shipped: from the sources each start
 * strips types and compiles some fifty files anew, three times the work, and a run of all tests starts
 * thousands. Of a place that it does not understand it complains, as that would only become slow.
 */
export function shippedThreads(): Plugin {
  return {
    name: 'shipped-threads',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(place('electron')) || !code.includes(MENTION)) return null;
      const changed = code.replace(THREAD, (whole, file: string) => {
        const url = pathToFileURL(place('dist', 'electron', file)).href;
        // As many lines, so that what fails further down is named by its own.
        return `new URL('${url}'${'\n'.repeat(whole.split('\n').length - 1)})`;
      });
      if (changed === code) throw new Error(`${id}: no thread was found here`);
      return { code: changed, map: null };
    },
  };
}
