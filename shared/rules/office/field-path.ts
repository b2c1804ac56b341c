/** Path of the whole item, if one side removed it. */
export const WHOLE = '';

/**
 * Path of a nested field, or of a named part of a list, as a JSON Pointer (RFC 6901) without its
 * first character: `content/roles/tenant/name`. An empty name is `~2`, which JSON Pointer does not
 * use.
 */
export const within = (path: string, name: string): string =>
  joinFieldPath(path, name === '' ? '~2' : name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Path of a list's order, which cannot be the name of a part. */
export const orderPath = (path: string): string => joinFieldPath(path, '~order');

/** Whether a field is inside another one, or inside the whole item. */
export const isInside = (field: string, path: string): boolean =>
  path === WHOLE ? field !== WHOLE : field.startsWith(`${path}/`);

const joinFieldPath = (path: string, written: string): string =>
  path === WHOLE ? written : `${path}/${written}`;
