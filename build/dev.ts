import { build } from 'vite';
import { bundle, page } from './bundle/bundle.ts';
import { place } from './places.ts';
import { runNode } from './run.ts';

// The host needs a complete page when it opens the window. To see later builds, reload the window.
await bundle([page]);
const watcher = await build({
  configFile: place('build/bundle/vite.config.ts'),
  build: { emptyOutDir: false, watch: {} },
});
const args = process.argv.slice(2);
const { code } = await runNode(place('electron/hosts/chromium/main.ts'), args, { isShown: true });
if ('close' in watcher) await watcher.close();
process.exitCode = code;
