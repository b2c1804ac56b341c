import { encodeLabel } from './punycode.ts';

/** Variants of a dot in a host, and characters that a normalised address drops. */
const DOT_VARIANTS = /[\u3002\uFF0E\uFF61]/gu;
const DROPPED_HOST_CHARACTERS = /[\u00AD\u200B]/gu;
const ADDRESS_PARTS_PATTERN = /^(https?):\/\/([^/?#\\@]+)((?:[/\\][^?#]*)?)$/iu;
const DEFAULT_PORT_PATTERNS = { http: /:0*80$/u, https: /:0*443$/u } as const;

/**
 * Normalises the address of a service: scheme and host in lower case, no default port, no empty
 * segment, no final slash. The result is like the address that is checked before a connection is
 * used. A text that is not a web address is unchanged.
 */
export function serviceAddress(text: string): string {
  const [, scheme, authority, rest = ''] = ADDRESS_PARTS_PATTERN.exec(text.trim()) ?? [];
  if (scheme === undefined || authority === undefined) return text.trim();
  const protocol = scheme.toLowerCase() === 'http' ? 'http' : 'https';
  const labels = hostOf(authority).replace(DEFAULT_PORT_PATTERNS[protocol], '').split('.');
  return `${protocol}://${labels.map(encodeLabel).join('.')}${pathOf(rest)}`;
}

/**
 * Host in ASCII, so that similar letters of other alphabets are visible; a path is unchanged.
 */
export const toAsciiHost = (host: string): string =>
  host.startsWith('/') ? host : hostOf(host).split('.').map(encodeLabel).join('.');

/** Removes the final dot of a host and leading zeros of a port, which have no meaning. */
const hostOf = (authority: string): string =>
  authority
    .replaceAll(DOT_VARIANTS, '.')
    .replaceAll(DROPPED_HOST_CHARACTERS, '')
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/u, '')
    .replace(/:0+(?=\d)/u, ':');

function pathOf(text: string): string {
  const path: string[] = [];
  for (const segment of text.split(/[/\\]/u)) {
    if (segment === '..') path.pop();
    else if (segment !== '' && segment !== '.') path.push(segment);
  }
  return path.map((segment) => `/${segment}`).join('');
}
