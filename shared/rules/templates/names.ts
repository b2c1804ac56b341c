import { TemplateBody } from '../../model/template.ts';

/** A name in single braces; what stands in double ones is a placeholder of the service. */
const NAME = /\{\{[^{}]*\}\}|\{([^{}]+)\}/g;

/** The text with each `{name}` replaced by what `textOf` gives for it. */
export function namedText(text: string, textOf: (name: string) => string): string {
  return text.replaceAll(NAME, (whole, name?: string) =>
    name === undefined ? whole : textOf(name),
  );
}

/** A copy of `body` with the names in all its texts replaced so. */
export function withNames(body: TemplateBody, textOf: (name: string) => string): TemplateBody {
  const copy = TemplateBody.parse(body);
  replaceIn(copy, textOf);
  return copy;
}

function replaceIn(target: object, textOf: (name: string) => string): void {
  for (const key of Object.keys(target)) {
    const value: unknown = Reflect.get(target, key);
    if (typeof value === 'object' && value !== null) replaceIn(value, textOf);
    if (typeof value === 'string') Reflect.set(target, key, namedText(value, textOf));
  }
}
