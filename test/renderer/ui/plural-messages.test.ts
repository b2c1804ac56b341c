import { expect, it } from 'vitest';
import * as z from 'zod';

const Catalogue = z.record(
  z.string(),
  z.union([
    z.string(),
    z.tuple([
      z.object({
        declarations: z.array(z.string()),
        selectors: z.tuple([z.string()]),
        match: z.record(z.string(), z.string()),
      }),
    ]),
  ]),
);
type Sentence = (values: Readonly<Record<string, number | string>>) => string;

const sources = import.meta.glob('../../../renderer/messages/{en,sv,pl}.json', {
  import: 'default',
});
const compiled = import.meta.glob<Readonly<Record<string, Sentence>>>(
  '../../../renderer/generated/messages/messages/{en,sv,pl}.js',
);

/**
 * Returns the inputs of a sentence, and the text of each name in braces. The inputs are the number,
 * and for each other name that name in brackets. A sentence may declare a formatted number.
 */
function valuesOf(declarations: readonly string[], forms: readonly string[], number: number) {
  const declared = declarations.join('\n');
  const [, counted = ''] = / = (\w+): plural$/m.exec(declared) ?? [];
  const formatted = [...declared.matchAll(/^local (\w+) = \w+: number$/gm)].map(
    ([, name = '']) => name,
  );
  const named = [...forms.join('\n').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const texts = new Map(named.map((name) => [name, `[${name}]`]));
  for (const name of [counted, ...formatted]) texts.set(name, String(number));
  const inputs = [...texts].filter(([name]) => !formatted.includes(name));
  return {
    texts,
    inputs: Object.fromEntries(
      inputs.map(([name, text]) => [name, name === counted ? number : text] as const),
    ),
  };
}

it.each(['en', 'sv', 'pl'])(
  'every sentence with a number has the form of this number, and all its values, in %s',
  async (language) => {
    const source = sources[`../../../renderer/messages/${language}.json`];
    const module = compiled[`../../../renderer/generated/messages/messages/${language}.js`];
    const catalogue = Catalogue.parse(await source?.());
    const sentences = (await module?.()) ?? {};
    const plurals = new Intl.PluralRules(language);
    let rendered = 0;
    for (const [key, message] of Object.entries(catalogue)) {
      if (typeof message === 'string') continue;
      const [{ declarations, selectors, match }] = message;
      for (const number of [1, 2, 5, 22]) {
        const { texts, inputs } = valuesOf(declarations, Object.values(match), number);
        const form = match[`${selectors[0]}=${plurals.select(number)}`] ?? 'no form';
        const text = sentences[key]?.(inputs);
        const wanted = form.replaceAll(/\{(\w+)\}/g, (_, name: string) => texts.get(name) ?? '');
        expect(text, `${key}, ${String(number)}`).toBe(wanted);
        expect(text, `${key}, ${String(number)}`).not.toMatch(/[{}]|undefined|NaN/);
        rendered += 1;
      }
    }
    expect(rendered).toBeGreaterThan(100);
  },
);
