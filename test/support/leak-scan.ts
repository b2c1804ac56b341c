import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A readable secret; `secret` is its index in the list, so that no test prints it. */
export interface Leak {
  readonly file: string;
  readonly secret: number;
  readonly encoding: string;
}

/**
 * Base64 of a text that starts 0, 1 or 2 bytes into a group, without the characters that depend on
 * adjacent bytes.
 */
function base64At(secret: string, offset: 0 | 1 | 2, encoding: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const whole = Math.floor(bytes.length / 3) * 3;
  return bytes
    .subarray(0, whole)
    .toString(encoding)
    .slice(offset === 0 ? 0 : 4);
}

const utf16 = (secret: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(secret, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

/** The text with every character escaped, as in ASCII-only JSON. */
const jsonEscaped = (secret: string) =>
  [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

function formsOf(secret: string): readonly (readonly [encoding: string, bytes: Buffer])[] {
  const hex = Buffer.from(secret).toString('hex');
  const everyByteEscaped = hex.replaceAll(/../g, '%$&');
  const texts: [string, string][] = [
    ['raw', secret],
    ['base64', base64At(secret, 0, 'base64')],
    ['base64', base64At(secret, 1, 'base64')],
    ['base64', base64At(secret, 2, 'base64')],
    ['base64', base64At(secret, 0, 'base64url')],
    ['base64', base64At(secret, 1, 'base64url')],
    ['base64', base64At(secret, 2, 'base64url')],
    ['url', encodeURIComponent(secret)],
    ['url', everyByteEscaped],
    ['url', everyByteEscaped.toUpperCase()],
    ['json', JSON.stringify(secret).slice(1, -1)],
    ['json', jsonEscaped(secret)],
    ['hex', hex],
    ['hex', hex.toUpperCase()],
  ];
  const distinct = texts.filter(([encoding, text]) => encoding === 'raw' || text !== secret);
  return [
    ...distinct.map(([encoding, text]) => [encoding, Buffer.from(text)] as const),
    ['utf-16', utf16(secret, 'le')],
    ['utf-16', utf16(secret, 'be')],
  ];
}

/** Files below a path, or the path itself; links are not followed. */
function filesAt(place: string): string[] {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isFile() === true) return [place];
  if (found?.isDirectory() !== true) return [];
  return readdirSync(place).flatMap((name) => filesAt(path.join(place, name)));
}

/**
 * Looks for each secret in every file at or below `places`, and in the files' names, in six
 * encodings: raw, Base64 (each alignment), URL, JSON, UTF-16 and hex. Secrets need 8 characters or
 * more: the Base64 of a shorter one, within other text, is too short to recognise.
 */
export function findLeaks(places: readonly string[], secrets: readonly string[]): Leak[] {
  if (secrets.some((secret) => secret.length < 8)) throw new RangeError('A secret is too short');
  const forms = secrets.map(formsOf);
  return places.flatMap(filesAt).flatMap((file) => {
    const content = Buffer.concat([Buffer.from(`${file}\n`), readFileSync(file)]);
    return forms.flatMap((encodings, secret) => {
      const found = encodings.filter(([, bytes]) => content.includes(bytes));
      return [...new Set(found.map(([encoding]) => encoding))].map((encoding) => ({
        file,
        secret,
        encoding,
      }));
    });
  });
}
