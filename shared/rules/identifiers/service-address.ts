import { encodeLabel } from './punycode.ts';

/** Signs that a host is written with, and that no address keeps. */
const DOTS = /[\u3002\uFF0E\uFF61]/gu;
const SOFT = /[\u00AD\u200B]/gu;
const PARTS = /^(https?):\/\/([^/?#\\@]+)((?:[/\\][^?#]*)?)$/iu;
const DEFAULT_PORT = { http: /:0*80$/u, https: /:0*443$/u } as const;

/**
 * The address of a service as every computer writes it: scheme and host in small letters, no default
 * port, no empty segment, no slash at the end. It agrees with how a connection's address is checked
 * before it is used. A text that is not a web address stays as it is.
 */
export function serviceAddress(text: string): string {
  const [, scheme, authority, rest = ''] = PARTS.exec(text.trim()) ?? [];
  if (scheme === undefined || authority === undefined) return text.trim();
  const protocol = scheme.toLowerCase() === 'http' ? 'http' : 'https';
  const labels = hostOf(authority).replace(DEFAULT_PORT[protocol], '').split('.');
  return `${protocol}://${labels.map(encodeLabel).join('.')}${pathOf(rest)}`;
}

/** A host as it is reached, so that letters of other alphabets are not taken for ours; a path stays as it is. */
export const hostAsReached = (host: string): string =>
  host.startsWith('/') ? host : hostOf(host).split('.').map(encodeLabel).join('.');

/** The point behind the whole name of a host says nothing more, nor do zeros before a port. */
const hostOf = (authority: string): string =>
  authority
    .replaceAll(DOTS, '.')
    .replaceAll(SOFT, '')
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
