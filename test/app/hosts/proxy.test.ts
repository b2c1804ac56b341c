// tier: all
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFailed, onTestFinished, vi } from 'vitest';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import { createHomeHere, type HomeHere } from '../../support/desks/desk-here.ts';
import { OFFICE_HOST, startOfficeService } from '../../support/office-service.ts';
import { startProxy } from '../../support/proxy.ts';

/** Module that starts the window, as `npm start` does on a computer without Electron. */
const MAIN = path.resolve(import.meta.dirname, '../../../electron/hosts/chromium/main.ts');
const POLL = { interval: 50, timeout: 60_000 } as const;
const CREDENTIALS = 'anna:Secret-of-the-proxy';

/**
 * Creates a data folder with a connection to the office's service and one to a service on this
 * computer.
 */
async function createData() {
  const office = await startOfficeService();
  const local = await startDemo({ dataDir: null, counterpartDelayMs: null, seed: 'none' });
  const home = await createHomeHere();
  onTestFinished(async () => {
    await local.close();
    // The removal is repeated: helper processes of the browser still write into its profile for a
    // moment after the browser has ended.
    const remove = (): Promise<boolean> =>
      home.remove().then(
        () => true,
        () => false,
      );
    await vi.waitUntil(remove, POLL);
  });
  const add = async (name: string, url: string, { credentials }: Demo): Promise<void> => {
    const args = ['connections', 'add', name, '--environment', 'test', '--api', 'v1'];
    await home.value([...args, '--url', url], credentials.token);
  };
  await add('Office', office.url, office.demo);
  await add('Here', local.v1Url, local);
  const authority = path.join(home.folder, 'office-ca.pem');
  await writeFile(authority, office.authority.cert);
  const proxy = await startProxy({
    names: { [OFFICE_HOST]: office.port },
    credentials: CREDENTIALS,
  });
  // The system's list of certificates, in the file in which OpenSSL looks for it.
  const trusting = { SSL_CERT_FILE: authority, SSL_CERT_DIR: path.join(home.folder, 'none') };
  return { office, local, home, proxy, trusting };
}

/** Starts the window on the data of `home`, without a screen; the window ends with the test. */
function startWindow(home: HomeHere, variables: Readonly<Record<string, string>>): ChildProcess {
  const env = { ...home.env, SIGNING_DESK_HEADLESS: '1', ...variables };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  onTestFailed(() => void process.stderr.write(said));
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  return child;
}

const reads = ({ requests }: Demo): number =>
  requests.filter(({ method, url }) => method === 'GET' && url.includes('/agreements')).length;

it('with HTTPS_PROXY, the window uses the proxy and the system’s certificates, except for local services (IN-N1) (IN-N2)', async () => {
  const { office, local, home, proxy, trusting } = await createData();
  const through = `http://${CREDENTIALS}@127.0.0.1:${String(proxy.port)}`;
  startWindow(home, { ...trusting, HTTPS_PROXY: through, HTTP_PROXY: through });
  await vi.waitUntil(() => reads(office.demo) > 0 && reads(local) > 0, POLL);
  expect(new Set(proxy.asked.map(({ authority }) => authority))).toEqual(
    new Set([`${OFFICE_HOST}:443`]),
  );
  expect(new Set(proxy.asked.map(({ credentials }) => credentials))).toEqual(
    new Set([CREDENTIALS]),
  );
});

it('with a NO_PROXY that names a service, the window reaches it without the proxy of HTTPS_PROXY (IN-N1)', async () => {
  const { office, local, home, proxy, trusting } = await createData();
  const through = `http://${CREDENTIALS}@127.0.0.1:${String(proxy.port)}`;
  const window = startWindow(home, { ...trusting, HTTPS_PROXY: through, NO_PROXY: OFFICE_HOST });
  await vi.waitUntil(() => reads(local) > 0, POLL);
  // The window ends only after its requests in flight, so that all of them are recorded.
  window.kill('SIGTERM');
  await once(window, 'exit');
  expect([proxy.asked, reads(office.demo)]).toEqual([[], 0]);
});
