import { TemplateBody } from '../../model/template.ts';

/** Name in single braces; double braces are a placeholder of the service. */
const BRACED_NAME_PATTERN = /\{\{[^{}]*\}\}|\{([^{}]+)\}/g;

/** Replaces each `{name}` with the result of `textOf`. */
export function replaceNames(text: string, textOf: (name: string) => string): string {
  return text.replaceAll(BRACED_NAME_PATTERN, (whole, name?: string) =>
    name === undefined ? whole : textOf(name),
  );
}

/** Returns a copy of `body` in which `textOf` has replaced the names in all texts. */
export function replaceNamesInBody(
  body: TemplateBody,
  textOf: (name: string) => string,
): TemplateBody {
  const copy = TemplateBody.parse(body);
  replaceIn(copy, textOf);
  return copy;
}

function replaceIn(target: object, textOf: (name: string) => string): void {
  for (const key of Object.keys(target)) {
    const value: unknown = Reflect.get(target, key);
    if (typeof value === 'object' && value !== null) replaceIn(value, textOf);
    if (typeof value === 'string') Reflect.set(target, key, replaceNames(value, textOf));
  }
}
