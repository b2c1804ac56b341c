/** All of a thing, where it is asked about as a whole: one side took it away. */
export const WHOLE = '';

/**
 * A field of a field, or a part of a list by its name, as JSON Pointer (RFC 6901) writes it but for its
 * first sign: `content/roles/tenant/name`. A name without a letter is `~2`, which that leaves open.
 */
export const within = (path: string, name: string): string =>
  joined(path, name === '' ? '~2' : name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The order of a list's parts, which no part has for its name. */
export const orderIn = (path: string): string => joined(path, '~order');

/** Whether a field lies within another one, or within all. */
export const isInside = (field: string, path: string): boolean =>
  path === WHOLE ? field !== WHOLE : field.startsWith(`${path}/`);

const joined = (path: string, written: string): string =>
  path === WHOLE ? written : `${path}/${written}`;
