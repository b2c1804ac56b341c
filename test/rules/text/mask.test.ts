import { describe, expect, it } from 'vitest';
import { maskPersonNumber, redact, redactTruncated } from '../../../shared/rules/text/mask.ts';

it.each([
  ['199001012384', '19900101••••'],
  ['19900101-2384', '19900101-••••'],
  ['900101-2384', '900101-••••'],
  ['900101+2384', '900101+••••'],
  ['100190-999P', '100190-••••'],
  ['100190Y999P', '100190Y••••'],
  ['010190 12345', '010190 1••••'],
  ['010190-1234', '010190-••••'],
  ['12', '••'],
  ['', ''],
])('the last four digits of %s are hidden', (number, masked) => {
  expect(maskPersonNumber(number)).toBe(masked);
});

const SECRETS = [
  '199001012384',
  '19900101-2384',
  '900101-2384',
  '9001012384',
  '900101+2384',
  '19900161-2384',
  '200002291234',
  '100190-999P',
  '100190A999P',
  '100190Y999p',
  '010190+123K',
  '01019012345',
  '010190 12345',
  '41019012345',
  '0101901234',
  '010190-1234',
  'anna@example.se',
  'anna.b+c@mail.example.co',
  'anna%40example.se',
  '+46701234567',
  '+46 701234567',
  '+46 (0)70 123 45 67',
  '0046701234567',
  '070-123 45 67',
  '08-12 34 56 78',
  '+358401234567',
  'Bearer abcdefgh12345678',
  'Basic dXNlcjpwYXNz',
  'eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxMjM0NTY3',
  'q7T+xY/3nR5kZ0bV9sW2mL4pC8dF1gHj6aE7uI3oQ2k=',
  'a1b2c3d4'.repeat(8),
];
const FRAMES: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `failed for ${secret}, again`,
  (secret) => JSON.stringify({ value: secret }),
  (secret) => JSON.stringify(JSON.stringify({ value: secret })),
  (secret) => `at ${secret}.`,
  (secret) => `(${secret})`,
  (secret) => `first line\n${secret}\nlast line`,
];

describe('a log text', () => {
  it.each(SECRETS)('has %s masked everywhere', (secret) => {
    for (const frame of FRAMES) expect(redact(frame(secret))).not.toContain(secret);
  });

  it.each([
    ['{"accessKey":"abc"}', 'abc'],
    ['x-access-key: q1w2', 'q1w2'],
    ['{\\"token\\":\\"zz9\\"}', 'zz9'],
    ['authorization: Bearer hush', 'hush'],
    ['password=hunter2&x=1', 'hunter2'],
    ['accountId: 77-12', '77-12'],
  ])('has the values of secret names masked in %s', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  it.each([
    [
      'GET https://files.example/a.pdf?X-Sig=abc&e=1 failed',
      'GET https://files.example/a.pdf?[query] failed',
    ],
    ['"https://u:p@files.example/a?x"', '"https://files.example/a?[query]"'],
    ['https://files.example/a#frag', 'https://files.example/a?[query]'],
  ])('has the rest after a link path masked: %s', (text, kept) => {
    expect(redact(text)).toBe(kept);
  });

  it.each([
    '/home/anna/x.ts',
    '/Users/anna/x.ts',
    'C:\\Users\\anna\\x.ts',
    'C:\\\\Users\\\\anna\\\\x.ts',
    'file:///home/anna/x.ts',
    'C%3A%5CUsers%5Canna%5Cx.ts',
    '%2Fhome%2Fanna%2Fx.ts',
    'C:/Users/anna/x.ts',
  ])('has the account masked in %s', (text) => {
    const kept = redact(text);
    expect(kept).not.toContain('anna');
    expect(kept).toContain('x.ts');
  });

  it.each([
    '20261121T055044Z',
    '2026-11-21T05:50:44.123Z',
    '2026-11-21 05:50',
    '2026-11-21T05:50:44+02:00',
    '1795240244123',
    '1795240244',
    '0',
    '-1',
    '3.14',
    '12 MB',
    '4,000,000 bytes',
    '127.0.0.1:8080',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    '19900101-2384-4abc-9def-70867728950e',
    '00000000-0000-4000-8000-199001012384',
    'd9428888-122b-11e1-b85c-61cd3cbb3210',
    'SQLITE_BUSY: 5',
    'at save (file:///opt/desk/electron/core/outbox.ts:120:15)',
    'v24.21.0',
    'HTTP 404',
    '0x1f4a',
    'node:internal/modules/esm/module_job:325:25',
    'sha256',
    '999999999999',
    '202613451234',
    '1234-5678',
    '20 of 5000 rows',
    'ECONNRESET',
    'port 65535',
    '123456789',
    '12345678901234567890',
    'migrations/0001-start.ts',
    'row 199001',
    '2027-02-30',
    '09:15-10:00',
    'electron 45.4.1',
    'agreement 1234567',
    'attempt 3/10',
    'https://api.example/v1/agreements/77',
    '[object Object]',
  ])('keeps %s', (text) => {
    expect(redact(text)).toBe(text);
    expect(redact(`at ${text}, then`)).toBe(`at ${text}, then`);
  });
});

describe('a truncated log text', () => {
  const page = '<p>Sign in</p> 19800101-1234 token=s3cretS3cretS3cret';

  it.each(Array.from({ length: page.length }, (_, at) => page.slice(0, at + 1)))(
    'shows no part of a number or token: %j',
    (text) => {
      expect(redactTruncated(text)).not.toMatch(/1980|s3cret/);
    },
  );

  it('keeps the text before the cut', () => {
    expect(redactTruncated(page)).toBe('<p>Sign in</p>');
  });
});
