import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createHome } from '../support/desks/desk-process.ts';
import { createHomeHere } from '../support/desks/desk-here.ts';
import { OFFICE_HOST, startOfficeService } from '../support/office-service.ts';
import { startProxy } from '../support/proxy.ts';

const CREDENTIALS = 'anna:Secret-of-the-proxy';

it('desk reaches a service through the office’s proxy with a certificate that only the system trusts (IN-N1) (IN-N2)', async () => {
  const { authority, demo, port, url } = await startOfficeService();
  const proxy = await startProxy({ names: { [OFFICE_HOST]: port }, credentials: CREDENTIALS });
  const home = await createHome();
  onTestFinished(() => home.remove());
  const file = path.join(home.folder, 'office-ca.pem');
  await writeFile(file, authority.cert);
  const add = [
    'connections',
    'add',
    'Office',
    '--environment',
    'test',
    '--api',
    'v1',
    '--url',
    url,
  ];
  const test = ['connections', 'test', 'Office'];
  const straight = { SSL_CERT_FILE: '/nowhere', SSL_CERT_DIR: '/nowhere', NODE_EXTRA_CA_CERTS: '' };
  const desk = (args: readonly string[], input = '', more: Record<string, string> = straight) =>
    home.with(more, args, input);
  await desk(add, demo.credentials.token);

  // In this run, the system trusts the certificate, and an environment variable names the proxy.
  const through = `http://${CREDENTIALS}@127.0.0.1:${String(proxy.port)}`;
  const byVariables = { ...straight, https_proxy: through, SSL_CERT_FILE: file };
  const reached = await desk(test, '', byVariables);
  expect([reached.exit, reached.stdout]).toEqual([
    0,
    expect.stringContaining('the certificate is valid'),
  ]);
  expect(proxy.asked[0]).toEqual({ authority: `${OFFICE_HOST}:443`, credentials: CREDENTIALS });

  // Without the variable and the certificate file, the proxy in the settings requires a password,
  // and the certificate is rejected.
  await desk(['network', 'proxy', proxy.origin]);
  const unsigned = await desk(test);
  expect([unsigned.exit, unsigned.stdout]).toEqual([
    5,
    expect.stringContaining('requires a user name'),
  ]);
  const set = ['network', 'proxy', proxy.origin, '--user', 'anna'];
  const shown = await desk(set, 'Secret-of-the-proxy\n');
  expect(shown.stdout).toContain('with a password in the credential store');
  const untrusted = await desk(test);
  expect([untrusted.exit, untrusted.stdout]).toEqual([
    5,
    expect.stringMatching(/issued by “Office Inspection CA”.*network trust FILE/u),
  ]);

  // With the certificate authority in the settings, the certificate is trusted.
  await desk(['network', 'trust', file]);
  expect((await desk(test)).exit).toBe(0);
  const doctor = await desk(['doctor']);
  expect(doctor.stdout).toContain(`${OFFICE_HOST} → ${proxy.origin}`);
  expect(doctor.stdout).toMatch(/Office Inspection CA/);
  expect(doctor.stdout).toMatch(/service clock +ok +-?\d+ s from Office/);
  const stored = await readFile(path.join(home.data, 'network.json'), 'utf8');
  expect([doctor.stdout, shown.stdout, stored].join()).not.toContain('Secret-of-the-proxy');
});

it('desk shows and sets the network, and names invalid settings (IN-F5)', async () => {
  const home = await createHomeHere();
  onTestFinished(() => home.remove());
  expect((await home.desk(['network', 'show'])).stdout).toContain('of the system, and HTTPS_PROXY');
  const wrong = await home.desk(['network', 'proxy', 'socks5://proxy:1080']);
  expect([wrong.exit, wrong.stderr]).toEqual([3, expect.stringContaining('SOCKS')]);
  const file = path.join(home.folder, 'no.pem');
  await writeFile(file, 'no certificate');
  const none = await home.desk(['network', 'trust', file]);
  expect([none.exit, none.stderr]).toEqual([3, expect.stringContaining('BEGIN CERTIFICATE')]);
  const set = ['network', 'proxy', 'proxy.example:8080', '--except', 'intranet.example'];
  expect((await home.desk(set)).stdout).toContain('intranet.example');
  expect((await home.desk(['network', 'proxy', 'none'])).stdout).toMatch(/proxy +none/);
  expect((await home.desk(['network', 'distrust'])).exit).toBe(0);
});
