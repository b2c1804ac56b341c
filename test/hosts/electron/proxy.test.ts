// tier: all
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type * as Compose from '../../../electron/compose/compose.ts';
import { startWindow } from '../../support/desks/started-window.ts';
import { OFFICE_HOST, startOfficeService } from '../../support/office-service.ts';
import { startProxy } from '../../support/proxy.ts';
import { createAuthority } from '../../support/self-signed.ts';

/**
 * Issuer of the certificate of the service. It ends a test that reached the service, because the
 * certificate is not trusted on this computer.
 */
const SERVICE = 'Office Inspection CA';
const URL_V1 = `https://${OFFICE_HOST}/api`;

/** Starts the program in Electron, where Chromium gives this answer about the system's proxies. */
async function startProgram(proxies: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-electron-proxy-'));
  const keyfile = path.join(folder, 'desk.key');
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const { state, session } = await startWindow();
  session.proxies = proxies;
  if (state.setup === undefined) throw new Error('the window has no desk');
  const { createDesk } = await vi.importActual<typeof Compose>(
    '../../../electron/compose/compose.ts',
  );
  const folders = { dataDir: path.join(folder, 'data'), stateDir: path.join(folder, 'state') };
  const desk = createDesk({ ...state.setup, ...folders, vault: { keyfile }, variables: {} });
  onTestFinished(async () => {
    await desk.close();
    await rm(folder, { recursive: true });
  });
  await desk.open();
  /**
   * Tests a connection; returns its result: the issuer of a rejected certificate, a reason or a
   * note.
   */
  const test = async (url: string): Promise<string> => {
    const wanted = { name: 'Office', api: 'v1', environment: 'test', accountId: null } as const;
    const order = { ...wanted, orgNo: null, allowed: null, url, secret: 'a-key-of-the-office' };
    const { steps } = await desk.handlers['connections.try'](order);
    const failed = steps.find(({ ok }) => !ok);
    return failed?.failure?.issuer ?? failed?.failure?.reason ?? failed?.note ?? 'passed';
  };
  return { test, session };
}

/**
 * Starts two proxies that lead to the office's service; `https` has a certificate that is not
 * trusted.
 */
async function startProxies() {
  const { port } = await startOfficeService();
  const names = { [OFFICE_HOST]: port };
  const tls = createAuthority('Proxy CA').issue('127.0.0.1');
  const [http, https] = [await startProxy({ names }), await startProxy({ names, tls })];
  return { http, https };
}

it.each<readonly [answer: string, end: string, isAsked: boolean]>([
  ['PROXY http', SERVICE, true],
  ['proxy http', SERVICE, true],
  ['PROXY http; DIRECT', SERVICE, true],
  ['PROXY 127.0.0.1:9; PROXY http', SERVICE, true],
  ['SOCKS5 127.0.0.1:1080; PROXY http', SERVICE, true],
  ['HTTPS https', 'Proxy CA', false],
  ['PROXY 127.0.0.1:9', 'proxy-unreachable', false],
  ['SOCKS5 127.0.0.1:1080', 'proxy-kind', false],
  ['SOCKS 127.0.0.1:1080', 'proxy-kind', false],
  ['PROXY not an address', 'proxy-kind', false],
  ['<html>404</html>', 'proxy-kind', false],
])(
  'in Electron, the system’s proxy answer “%s” ends a test of a service with “%s” (IN-N1)',
  async (answer, end, isAsked) => {
    const { http, https } = await startProxies();
    const hosts = {
      http: `127.0.0.1:${String(http.port)}`,
      https: `127.0.0.1:${String(https.port)}`,
    };
    const said = answer.replace(/ (https?)\b/, (_, name: 'http' | 'https') => ` ${hosts[name]}`);
    const program = await startProgram(said);
    expect(await program.test(URL_V1)).toBe(end);
    expect(http.asked.map(({ authority }) => authority).includes(`${OFFICE_HOST}:443`)).toBe(
      isAsked,
    );
    expect(new Set(program.session.proxiesAskedFor)).toEqual(new Set([`https://${OFFICE_HOST}/`]));
  },
);

it.each(['DIRECT', '', ' ; '])(
  'in Electron, the system’s proxy answer “%s” leads directly to a service (IN-N1)',
  async (answer) => {
    const { http } = await startProxies();
    const program = await startProgram(answer);
    expect(await program.test(URL_V1)).toBe('not-reached');
    expect(http.asked).toEqual([]);
    expect(program.session.proxiesAskedFor.length).toBeGreaterThan(0);
  },
);

it('in Electron, the system’s proxy is not looked up for a service on this computer (IN-N1)', async () => {
  const { http } = await startProxies();
  const program = await startProgram(`PROXY 127.0.0.1:${String(http.port)}`);
  expect(await program.test('http://127.0.0.1:9')).toBe('not-reached');
  expect([http.asked, program.session.proxiesAskedFor]).toEqual([[], []]);
});
