import { describe, expect, it } from 'vitest';
import { createRedact } from '../../../../electron/adapters/rest/http/redact.ts';
import { redact as redactLog } from '../../../../shared/rules/text/mask.ts';

const SECRET = 'tok-ZeT0p/s3cr+et&"<x>%=';
const USER = '1001';
const redact = createRedact([SECRET]);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const url64 = (text: string) => Buffer.from(text).toString('base64url');
const html = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const forms: readonly (readonly [name: string, text: string])[] = [
  ['unchanged', SECRET],
  ['in capitals', SECRET.toUpperCase()],
  ['in Base64', base64(SECRET)],
  ['in Base64 for URLs', url64(SECRET)],
  ['in Base64 after its scheme', base64(`Token ${SECRET}`)],
  ['in Base64 after a user', base64(`${USER}:${SECRET}`)],
  ['in Base64 after another user', base64(`10:${SECRET}`)],
  ['in Base64 before a user', base64(`${SECRET}:${USER}`)],
  ['in Base64 between other texts', base64(`a:${SECRET}:b`)],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['percent-encoded in lower case', encodeURIComponent(SECRET).toLowerCase()],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
  [
    'percent-encoded in every character',
    Buffer.from(SECRET).toString('hex').replaceAll(/../g, '%$&'),
  ],
  ['in hex', Buffer.from(SECRET).toString('hex')],
  ['in hex in capitals', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['escaped for JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['escaped for JSON with slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
  ['as JSON escapes', [...SECRET].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')],
  ['escaped for HTML', html(SECRET)],
  [
    'as numeric HTML entities',
    [...SECRET].map((one) => `&#${String(one.charCodeAt(0))};`).join(''),
  ],
];

describe('an API key quoted by a service', () => {
  it.each(forms)('is masked when written %s, wherever it occurs (SEC-L10, TE-R08)', (_, text) => {
    const frames = [text, `bad: ${text}.`, `${text} and ${text}, ${text}`, `"${text}","${text}"`];
    for (const frame of frames) {
      const said = redact(frame);
      expect(said).toContain('•••');
      expect(said).not.toContain(text);
      // The masked text does not contain a large part of the key either.
      expect(said.toLowerCase()).not.toContain(text.toLowerCase().slice(4, 16));
    }
  });

  it.each([
    ['its first 20 characters', 'sk_live_4f9Qm2Xv7Tb1Kz8Lw3Np', (one: string) => one.slice(0, 20)],
    ['its last 12 characters', 'sk_live_4f9Qm2Xv7Tb1Kz8Lw3Np', (one: string) => one.slice(-12)],
    ['its middle', 'sk_live_4f9Qm2Xv7Tb1Kz8Lw3Np', (one: string) => one.slice(6, 20)],
    [
      'its start in Base64',
      'sk_live_4f9Qm2Xv7Tb1Kz8Lw3Np',
      (one: string) => base64(one.slice(0, 15)),
    ],
    [
      'its start in Base64 after a user',
      'sk_live_4f9Qm2Xv7Tb1Kz8Lw3Np',
      (one: string) => base64(`10:${one.slice(0, 18)}`),
    ],
    [
      'its start in hex',
      'sk_live_4f9Qm2Xv7Tb1Kz8Lw3Np',
      (one: string) => Buffer.from(one.slice(0, 10)).toString('hex'),
    ],
  ])('is masked even if only a part is quoted: %s (SR-L7)', (_, secret, pieceOf) => {
    const piece = pieceOf(secret);
    for (const frame of [piece, `bad token ${piece}... of 27`, `${piece} and ${piece}`]) {
      const said = createRedact([secret])(frame);
      expect(said).toContain('•••');
      expect(said.toLowerCase()).not.toContain(piece.toLowerCase().slice(2, 12));
    }
    expect(createRedact([secret])('The token of live is wrong')).toBe('The token of live is wrong');
  });

  it('is masked if the end of a long text is cut off within the key (SEC-H2, SEC-L10)', () => {
    for (let at = 3900; at < 4600; at += 7) {
      // Masking shortens this text to a few characters, so that the end of the search is kept.
      const before = `${'https://a.example/?'.padEnd(at, 'q')} `;
      expect(redact(`${before}${SECRET} ${'b'.repeat(9000)}`)).not.toContain(SECRET.slice(0, 6));
    }
  });

  it('is masked without the other words of the sentence (SEC-L10)', () => {
    expect(redact(`The token ${SECRET} is not known to us`)).toBe(
      'The token ••• is not known to us',
    );
    expect(redact('Nothing of it is here: 1001, tok, YWJj')).toBe(
      'Nothing of it is here: 1001, tok, YWJj',
    );
  });

  it('is searched in time proportional to the length of the text (SEC-H2)', () => {
    const long = 'k3Y/'.repeat(5000);
    expect(createRedact([long])(`Bad key ${long} given`)).toBe('Bad key ••• given');
  });
});

describe('a long text for the log', () => {
  it('is cut off before a secret that the cut would split (SEC-H2)', () => {
    for (let at = 16_370; at < 16_400; at += 1) {
      const said = redactLog(`${'a '.repeat(at / 2)}19850709-9805 ${'b '.repeat(9000)}`);
      expect(said).not.toContain('19850709');
      expect(said.endsWith('…')).toBe(true);
      expect(said.length).toBeLessThan(16_400);
    }
  });
});
