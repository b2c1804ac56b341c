import { describe, expect, it } from 'vitest';
import { plainName } from '../../../shared/rules/network/certificate-name.ts';
import {
  isProxyException,
  isLoopbackHost,
  parseProxy,
  parseProxyList,
} from '../../../shared/rules/network/proxies.ts';
import {
  parseRegistryOutput,
  parseScutilOutput,
  routeBySystem,
  routeByVariables,
} from '../../../shared/rules/network/system-settings.ts';

const proxy = (origin: string, user: string | null = null, password: string | null = null) => ({
  kind: 'proxy',
  origin,
  user,
  password,
});

describe('the address of a proxy', () => {
  it.each<readonly [text: string, way: object]>([
    ['proxy.example:8080', proxy('http://proxy.example:8080')],
    ['http://Proxy.Example', proxy('http://proxy.example')],
    [' https://proxy.example:443/ ', proxy('https://proxy.example:443')],
    ['http://[fd00::1]:3128', proxy('http://[fd00::1]:3128')],
    ['http://anna:p%40ss%3Aword@10.0.0.1:80', proxy('http://10.0.0.1:80', 'anna', 'p@ss:word')],
    ['http://anna:p@ss@proxy:80', proxy('http://proxy:80', 'anna', 'p@ss')],
    ['anna@proxy:80', proxy('http://proxy:80', 'anna', '')],
    ['socks5://proxy:1080', { kind: 'unusable', what: 'socks' }],
    ['SOCKS://proxy:1080', { kind: 'unusable', what: 'socks' }],
    ...['', 'http://', 'ftp://proxy', 'http://proxy:99999', 'http://proxy/path', 'http://a b'].map(
      (text) => [text, { kind: 'unusable', what: 'address' }] as const,
    ),
    ['http://%zz@proxy', { kind: 'unusable', what: 'address' }],
  ])('%j is read correctly (IN-F5)', (text, way) => {
    expect(parseProxy(text)).toEqual(way);
  });

  it('follows the order of the list that Chromium gives (IN-F5)', () => {
    expect(parseProxyList('PROXY a:80; HTTPS b:443;SOCKS5 c:1080; DIRECT')).toEqual([
      proxy('http://a:80'),
      proxy('https://b:443'),
      { kind: 'unusable', what: 'socks' },
      { kind: 'direct' },
    ]);
  });
});

it.each([
  ['', []],
  [' ; ;', []],
  ['direct', [{ kind: 'direct' }]],
  ['PROXY [fd00::1]:3128', [proxy('http://[fd00::1]:3128')]],
  ['PROXY', [{ kind: 'unusable', what: 'address' }]],
  ['PROXY a:80 b:80', [{ kind: 'unusable', what: 'address' }]],
  ['DIRECT a:80', [{ kind: 'unusable', what: 'address' }]],
  ['QUIC a:443', [{ kind: 'unusable', what: 'address' }]],
  ['<html>', [{ kind: 'unusable', what: 'address' }]],
  ['SOCKS a:1080', [{ kind: 'unusable', what: 'socks' }]],
])(
  'the Chromium proxy answer %j is read correctly, and never as a direct connection if it names none (IN-N1)',
  (text, ways) => {
    expect(parseProxyList(text)).toEqual(ways);
  },
);

describe('hosts that bypass a proxy', () => {
  it.each([
    ['example.com', 'example.com', true],
    ['example.com', 'api.example.com', true],
    ['example.com', 'notexample.com', false],
    ['.example.com', 'api.example.com', true],
    ['*.example.com', 'api.example.com', true],
    ['*.example.com', 'example.com', false],
    ['EXAMPLE.com.', 'example.com', true],
    ['a.com b.com,c.com;d.com', 'd.com', true],
    ['*', 'anything.example', true],
    ['example.com:8443', 'example.com', false],
    ['example.com:443', 'example.com', true],
    ['10.0.0.0/8', '10.200.3.4', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['169.254/16', '169.254.9.9', true],
    ['192.168.*', '192.168.4.4', true],
    ['<local>', 'intranet', true],
    ['<local>', 'intranet.example', false],
    ['[fd00::1]:443', 'fd00::1', true],
    ['fd00::1', '[fd00::1]', true],
    ['*office*', 'my.office.example', true],
    ['', 'example.com', false],
    ['10.0.0.0/99, x/8', '10.0.0.1', false],
    ['.0.2.2', '192.0.2.2', false],
    ['2.2', '192.0.2.2', false],
    ['192.0.2.2', '192.0.2.2', true],
    ['*', '192.0.2.2', true],
  ])('%j covers %s: %s (IN-F5)', (list, host, isCovered) => {
    expect(isProxyException(list, host, 443)).toBe(isCovered);
  });

  it.each([
    'localhost',
    'a.localhost',
    '127.0.0.1',
    '127.255.0.9',
    '[::1]',
    '::ffff:7f00:1',
    '0.0.0.0',
  ])('include the local computer as %s (IN-F5)', (host) => expect(isLoopbackHost(host)).toBe(true));

  it.each(['localhost.example', '128.0.0.1', 'mylocalhost', '10.0.0.1', '[fd00::1]'])(
    'do not include %s automatically (IN-F5)',
    (host) => expect(isLoopbackHost(host)).toBe(false),
  );
});

describe('the proxy settings of a system', () => {
  it('are read from variables in either case, lower case first (IN-F5)', () => {
    const variables = { HTTPS_PROXY: 'big:1', https_proxy: 'small:1', no_proxy: 'past.example' };
    expect(routeByVariables(variables, 'a.example', 443)).toEqual(proxy('http://small:1'));
    expect(routeByVariables(variables, 'past.example', 443)).toEqual({ kind: 'direct' });
    expect(routeByVariables({ NO_PROXY: '*' }, 'a.example', 443)).toBeNull();
  });

  const windows = (lines: readonly string[]) =>
    `\r\nHKEY_CURRENT_USER\\Software\\Internet Settings\r\n${lines.map((line) => `    ${line}\r\n`).join('')}`;

  it.each([
    [
      'one for all',
      ['ProxyEnable    REG_DWORD    0x1', 'ProxyServer    REG_SZ    proxy:8080'],
      'proxy:8080',
    ],
    [
      'one for each protocol',
      ['ProxyEnable    REG_DWORD    0x1', 'ProxyServer    REG_SZ    http=a:1;https=b:2'],
      'b:2',
    ],
    [
      'one that is off',
      ['ProxyEnable    REG_DWORD    0x0', 'ProxyServer    REG_SZ    proxy:8080'],
      null,
    ],
  ])('of Windows with %s are understood (IN-F5)', (_, lines, expected) => {
    expect(parseRegistryOutput(windows(lines)).proxy).toBe(expected);
  });

  it('of Windows name exceptions and a script (IN-F5)', () => {
    const found = parseRegistryOutput(
      windows([
        'AutoConfigURL    REG_SZ    http://pac/x',
        'ProxyOverride    REG_SZ    *.office;<local>',
      ]),
    );
    expect(found).toEqual({ proxy: null, exceptions: '*.office;<local>', hasScript: true });
    expect(routeBySystem(found, 'a.example', 443)).toEqual({ kind: 'unusable', what: 'script' });
    expect(routeBySystem(found, 'intranet', 443)).toEqual({ kind: 'direct' });
  });

  it('of macOS are understood (IN-F5)', () => {
    const found = parseScutilOutput(`<dictionary> {
  ExceptionsList : <array> {
    0 : *.local
    1 : 169.254/16
  }
  ExcludeSimpleHostnames : 1
  HTTPSEnable : 1
  HTTPSPort : 3128
  HTTPSProxy : proxy.example
  ProxyAutoConfigEnable : 0
}
`);
    expect(found).toEqual({
      proxy: 'proxy.example:3128',
      exceptions: '*.local;169.254/16;<local>',
      hasScript: false,
    });
    expect(routeBySystem(found, 'a.example', 443)).toEqual(proxy('http://proxy.example:3128'));
  });
});

it.each([
  ['C=SE\nO=Office\nCN=Office CA', 'Office CA, Office'],
  ['CN=Office', 'Office'],
  ['OU=Only a unit', 'Only a unit'],
  ['C=SE', 'C=SE'],
])('a certificate issuer %j is shown as %j (IN-N2)', (subject, name) => {
  expect(plainName(subject)).toBe(name);
});
