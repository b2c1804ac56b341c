import { describe, expect, it } from 'vitest';
import { checkAddress, fillPath } from '../../../../electron/adapters/rest/http/address.ts';
import { AppError } from '../../../../shared/errors.ts';
import { serviceAddress } from '../../../../shared/rules/identifiers/service-address.ts';
import { openV1, openV2 } from '../desk.ts';

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.failure.reason ?? error.failure.code;
    throw error;
  }
  return 'accepted';
}

describe('the address of a connection', () => {
  it.each([
    ['v1', 'http://api.example.com', 'address-not-https'],
    ['v1', 'http://127.0.0.1.example.com', 'address-not-https'],
    ['v1', 'http://localhost.example.com', 'address-not-https'],
    ['v1', 'ftp://api.example.com', 'address-invalid'],
    ['v1', 'api.example.com', 'address-invalid'],
    ['v1', 'https://user:pass@api.example.com', 'address-invalid'],
    ['v1', 'https://api.example.com?token=1', 'address-invalid'],
    ['v1', 'https://api.example.com#v1', 'address-invalid'],
    ['v1', 'https://api.example.com/v1', 'address-has-version'],
    ['v1', 'https://api.example.com/v1/', 'address-has-version'],
    ['v1', 'https://api.example.com/v1/agreements', 'address-has-version'],
    ['v2', 'https://api.example.com', 'address-lacks-version'],
    ['v2', 'https://api.example.com/v2/agreements', 'address-lacks-version'],
    ['v1', 'https://api.example.com', 'accepted'],
    ['v1', 'http://127.0.0.1:8080/api', 'accepted'],
    ['v1', 'http://[::1]:8080', 'accepted'],
    ['v2', 'http://localhost:8080/legacy/v2', 'accepted'],
    ['v2', 'https://api.example.com/v2/', 'accepted'],
  ] as const)('for API %s, %s, has the result %s (TX-54)', (api, url, expected) => {
    expect(reasonOf(() => checkAddress(api, url))).toBe(expected);
  });

  it.each([
    'https://api.example.com',
    ' HTTPS://API.Example.com/ ',
    'https://api.example.com:443//api///',
    'https://api.example.com:8443/Api/',
    'http://LOCALHOST:80/',
    'http://127.0.0.1:8080/a/./b/../c',
    'http://[::1]:8080/',
    'https://bücher.example/api/',
    'https://api.example.com:0443/',
    'https://api。example．com/',
    'https://api.exam\u00ADple.com/',
  ])('is normalised to the address that requests use: %s (DL-A3)', (typed) => {
    const { origin, path } = checkAddress('v1', typed);
    expect(serviceAddress(typed)).toBe(`${origin}${path}`);
    expect(serviceAddress(serviceAddress(typed))).toBe(`${origin}${path}`);
  });

  it.each([
    'https://api.example.com/api?',
    'https://api.example.com/api#',
    'https://api.example.com/api/%2e',
    'https:\\\\api.example.com',
    'https://api.example.com\t:8443',
    'http://127.1:8080',
    'http://2130706433:8080',
    'http://0x7f000001:8080',
  ])('is rejected if two computers could take it for two services: %j (DL-A3)', (typed) => {
    expect(reasonOf(() => checkAddress('v1', typed))).toBe('address-invalid');
  });

  it('is normalised without a dot after its host (DL-A3)', () => {
    for (const typed of ['https://api.example.com.', 'https://api.example.com.:443/']) {
      expect(serviceAddress(typed)).toBe('https://api.example.com');
    }
  });

  it('is rejected with the name of the invalid field', () => {
    expect(() => openV1('https://api.example.com/v1')).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({
          fields: { url: expect.any(String) as string },
        }) as object,
      }) as Error,
    );
  });
});

describe('the path of a request', () => {
  it('encodes each value inside its segment (T2-10)', () => {
    expect(fillPath('/agreements/{ref}/download', { ref: '00/12 a.xml?x' })).toBe(
      '/agreements/00%2F12%20a.xml%3Fx/download',
    );
    expect(fillPath('/agreements/{ref}', { ref: '..' })).toBe('/agreements/%2E%2E');
  });

  it.each([
    ['7.xml', '7%2Exml'],
    ['7.XML', '7%2EXML'],
    ['.xml', '%2Exml'],
    ['7.xml.8', '7.xml.8'],
    ['7xml', '7xml'],
  ])('does not request XML for the reference %j (T2-11)', (ref, written) => {
    expect(fillPath('/agreements/{ref}', { ref })).toBe(`/agreements/${written}`);
    expect(fillPath('/agreements/{ref}.xml', { ref })).toBe(`/agreements/${written}.xml`);
  });

  it('is not built if a value for it is missing', () => {
    expect(reasonOf(() => fillPath('/agreements/{ref}', {}))).toBe('invalid');
  });
});

describe('an API key', () => {
  const url = 'https://api.example.com';

  it.each(['', '  ', '\n\t', '\u00a0\ufeff'])(
    'is rejected if it is blank: %j (T2-07)',
    (secret) => {
      expect(reasonOf(() => openV1(url, { token: secret }))).toBe('credential-blank');
      expect(reasonOf(() => openV2(`${url}/v2`, { key: secret }))).toBe('credential-blank');
      expect(reasonOf(() => openV2(`${url}/v2`, { accountId: secret }))).toBe('credential-blank');
    },
  );

  it('is rejected if it would add a header, and is not repeated in the error (T2-07)', () => {
    const key = 'abc\r\nX-Evil: 1';
    expect(reasonOf(() => openV2(`${url}/v2`, { key }))).toBe('credential-characters');
    expect(() => openV2(`${url}/v2`, { key })).not.toThrow(/abc|Evil/);
  });
});
