import { describe, expect, it } from 'vitest';
import { apiAddresses } from '../../../shared/rules/identifiers/api-addresses.ts';

const triedFor = (text: string) => apiAddresses(text).map(({ api, url }) => `${api} ${url}`);

describe('the addresses at which a key is tried', () => {
  it.each([
    ['https://api.example.com', ['v1 https://api.example.com', 'v2 https://api.example.com/v2']],
    [
      'https://api.example.com/v1/',
      ['v1 https://api.example.com', 'v2 https://api.example.com/v2'],
    ],
    ['https://api.example.com/V2', ['v2 https://api.example.com/V2', 'v1 https://api.example.com']],
    ['https://a.example/rest/v3', ['v2 https://a.example/rest/v3', 'v1 https://a.example/rest']],
  ])('%s starts with the API to which it belongs', (text, tried) => {
    expect(triedFor(text)).toEqual(tried);
  });

  it('are always on the same host', () => {
    for (const text of ['https://a.example', 'https://a.example/v2', 'https://a.example/b/v1']) {
      const hosts = apiAddresses(text).map(({ url }) => URL.parse(url)?.host);
      expect(hosts).toEqual(['a.example', 'a.example']);
    }
  });
});
