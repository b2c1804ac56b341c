import { takeElectron } from '../package/electron-binary.ts';
import { place } from '../places.ts';
import { runNode } from '../run.ts';

/** The smoke test leaves itself out where there is no binary; whoever asks for it is told. */
if ((await takeElectron()) === undefined) {
  console.error('no Electron binary is here and it cannot be downloaded: nothing was tested');
  process.exitCode = 1;
} else {
  const test = ['test/hosts/electron/smoke.test.ts'];
  const { code } = await runNode(place('build/test/one.ts'), test, { isShown: true });
  process.exitCode = code;
}
