import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createAuthority, selfSigned } from '../../support/self-signed.ts';
import { startAskedWindow, type AskedWindow, type Says } from '../../support/desks/asked-window.ts';

let windows: AskedWindow[] = [];
afterEach(async () => {
  for (const window of windows) await window[Symbol.asyncDispose]();
  windows = [];
});

async function startWindow(says: Says): Promise<AskedWindow> {
  const window = await startAskedWindow(says);
  windows.push(window);
  return window;
}

const fixed = {
  kind: 'fixed',
  address: 'proxy.example:8080',
  user: 'anna',
  exceptions: '',
} as const;
const PASSWORD = 'Secret-of-the-proxy';
const order = { proxy: fixed, password: PASSWORD, proxyFindsLinks: false };
const cancelled = { failure: { code: 'cancelled' } };

it('the page cannot change proxy or certificate authorities without a native confirmation (IN-F5)', async () => {
  const { api, questions } = await startWindow({ answer: false });
  const { cert: pem } = createAuthority('Office CA');
  const before = await api['network.read']({});
  await expect(api['network.setProxy'](order)).rejects.toMatchObject(cancelled);
  const none = { proxy: { kind: 'none' }, password: null, proxyFindsLinks: false } as const;
  await expect(api['network.setProxy'](none)).rejects.toMatchObject(cancelled);
  const finds = { ...none, proxy: { kind: 'system' }, proxyFindsLinks: true } as const;
  await expect(api['network.setProxy'](finds)).rejects.toMatchObject(cancelled);
  await expect(api['network.setAuthorities']({ pem })).rejects.toMatchObject(cancelled);
  expect(await api['network.read']({})).toEqual(before);
  expect(questions).toMatchObject([
    { kind: 'proxy', what: 'proxy.example:8080' },
    { kind: 'proxy-none', what: null },
    { kind: 'proxy-system', what: null },
    {
      kind: 'authorities',
      what: 'Office CA',
      fingerprint: expect.stringMatching(/^(?:[\dA-F]{2}:){31}/),
    },
  ]);
});

it('unreadable network settings are replaced by new ones (IN-F5)', async () => {
  const { api, documents, questions } = await startWindow({ answer: true });
  await writeFile(path.join(documents, '..', 'data', 'network.json'), '{');
  await expect(api['network.read']({})).rejects.toMatchObject({ failure: { code: 'storage' } });
  await expect(api['network.setProxy'](order)).resolves.toMatchObject({ hasPassword: true });
  expect(questions).toMatchObject([{ kind: 'proxy' }]);
});

it('a proxy password is stored in the credential store, only for its address and user (IN-F5)', async () => {
  const { api, documents } = await startWindow({ answer: true });
  const stored = { ...fixed, address: 'http://proxy.example:8080' };
  expect(await api['network.setProxy'](order)).toMatchObject({ proxy: stored, hasPassword: true });
  const text = await readFile(path.join(documents, '..', 'data', 'network.json'), 'utf8');
  expect(text).toContain('http://proxy.example:8080');
  expect(text).not.toContain(PASSWORD);
  const same = { ...order, proxy: stored, password: null };
  expect(await api['network.setProxy'](same)).toMatchObject({ hasPassword: true });
  const elsewhere = { ...same, proxy: { ...stored, address: 'http://other.example:8080' } };
  expect(await api['network.setProxy'](elsewhere)).toMatchObject({ hasPassword: false });
  expect(await api['network.setProxy'](same)).toMatchObject({ hasPassword: false });
});

it.each([
  [{ address: 'socks5://proxy:1080' }, 'address', /SOCKS/],
  [{ address: 'not an address' }, 'address', /not the address of a proxy/],
  [{ address: 'http://anna:word@proxy:80' }, 'address', /must not contain a user name or password/],
  [{ user: 'an:na' }, 'user', /must not contain a colon/],
])(
  'a proxy with %j is rejected, and the field is named (IN-F5)',
  async (change, field, sentence) => {
    const { api } = await startWindow({ answer: true });
    await expect(
      api['network.setProxy']({ ...order, proxy: { ...fixed, ...change } }),
    ).rejects.toMatchObject({
      failure: { code: 'invalid', fields: { [field]: expect.stringMatching(sentence) } },
    });
  },
);

it('a proxy password without a user name is rejected, and neither proxy nor password is stored (IN-N1)', async () => {
  const { api } = await startWindow({ answer: true });
  await expect(
    api['network.setProxy']({ ...order, proxy: { ...fixed, user: null } }),
  ).rejects.toMatchObject({ failure: { code: 'invalid', fields: { user: expect.any(String) } } });
  expect(await api['network.read']({})).toMatchObject({
    proxy: { kind: 'system' },
    hasPassword: false,
  });
});

it('certificate authorities are described, can be removed, and are rejected when invalid (IN-N2)', async () => {
  const { api } = await startWindow({ answer: true });
  const pem = createAuthority('Office CA').cert + createAuthority('Branch CA').cert;
  const { authorities } = await api['network.setAuthorities']({ pem });
  expect(authorities.map(({ subject }) => subject)).toEqual(['Office CA', 'Branch CA']);
  for (const wrong of [
    '',
    'no certificate',
    selfSigned().cert,
    pem.replaceAll(/[A-Z]{3}/g, 'AAA'),
  ]) {
    await expect(api['network.setAuthorities']({ pem: wrong })).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'not-a-certificate' },
    });
  }
  expect((await api['network.read']({})).authorities).toHaveLength(2);
  expect((await api['network.setAuthorities']({ pem: null })).authorities).toEqual([]);
});

it('a file of certificate authorities is stored without its private keys (IN-Y10)', async () => {
  const { api, documents } = await startWindow({ answer: true });
  const { cert, key } = createAuthority('Office CA');
  expect(
    (await api['network.setAuthorities']({ pem: `${key}\n${cert}` })).authorities,
  ).toHaveLength(1);
  const text = await readFile(path.join(documents, '..', 'data', 'network.json'), 'utf8');
  expect(text).toContain('BEGIN CERTIFICATE');
  expect(text).not.toContain('PRIVATE KEY');
});

it('a file of certificate authorities is rejected when truncated or when it holds too many (IN-Y11)', async () => {
  const { api } = await startWindow({ answer: true });
  const { cert } = createAuthority('Office CA');
  const other = createAuthority('Branch CA').cert;
  for (const [pem, sentence] of [
    [`${cert}${other.slice(0, 200)}`, /Certificate 2 of the file is damaged/],
    [`${other.slice(0, 200)}\n${cert}`, /Certificate 1 of the file is damaged/],
    [cert.repeat(501), /more than 500 certificates/],
  ] as const) {
    await expect(api['network.setAuthorities']({ pem })).rejects.toMatchObject({
      failure: {
        code: 'invalid',
        reason: 'not-a-certificate',
        message: expect.stringMatching(sentence),
      },
    });
  }
});

it('the diagnostic report lists the proxy, certificates and service clocks (IN-F5)', async () => {
  const { api } = await startWindow({ answer: true });
  await api['network.setProxy'](order);
  const { checks } = await api['host.doctor']({});
  const named = Object.fromEntries(checks.map(({ name, note }) => [name, note]));
  expect(named['proxy']).toBe('http://proxy.example:8080 (setting: fixed for this computer)');
  expect(named['certificates']).toMatch(/Node \d+, system \d+/);
  expect(named['service clock']).toBe('no service is connected');
  expect(JSON.stringify(checks)).not.toContain(PASSWORD);
});
