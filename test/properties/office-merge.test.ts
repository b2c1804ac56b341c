import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../shared/rules/evidence/canonical-json.ts';
import { isInside, orderPath, within } from '../../shared/rules/office/field-path.ts';
import { type Content, isSame, merge, type Shape } from '../../shared/rules/office/merge.ts';
import { settings } from './runs.ts';

const person: Shape = { fields: { name: 'one', email: 'one' } };
const shape: Shape = {
  fields: {
    title: 'one',
    days: 'one',
    body: { fields: { text: 'one', sign: 'one' } },
    roles: { parts: 'id', each: person },
  },
};

const names = ['a', 'b', 'c/d', '~order', ''];
const value = fc.constantFrom<Json>('x', 'y', 1, null, ['x', 'y'], { from: 'x' });
const some = (fields: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: fields.length });
const roles = fc
  .uniqueArray(fc.constantFrom(...names), { maxLength: names.length })
  .chain((ids) =>
    fc
      .array(some(['name', 'email']), { minLength: ids.length, maxLength: ids.length })
      .map((facts) => facts.map((one, at) => ({ ...one, id: ids[at] ?? '' }))),
  );
/**
 * Content as users write it, with fields that the shape does not contain, and with invalid parts.
 */
const whole: fc.Arbitrary<Json> = fc
  .record(
    {
      title: value,
      days: value,
      other: value,
      body: fc.oneof(some(['text', 'sign', 'more']), value),
      roles: fc.oneof({ arbitrary: roles, weight: 8 }, { arbitrary: value, weight: 1 }),
    },
    { requiredKeys: [] },
  )
  .map((one): Json => JSON.parse(JSON.stringify(one)));
const content: fc.Arbitrary<Content> = fc.option(whole, { nil: undefined, freq: 8 });
const sides = fc.record({ base: content, mine: content, theirs: content });

/** Returns every field that has a single value, by its path. */
function leaves(of: Content, as: Shape = shape, path = ''): Map<string, Json> {
  if (of === undefined) return new Map();
  if (as !== 'one' && 'fields' in as && isObject(of)) {
    return new Map(
      Object.entries(of).flatMap(([name, held]) => [
        ...leaves(held, as.fields[name] ?? 'one', within(path, name)),
      ]),
    );
  }
  if (as !== 'one' && 'parts' in as && Array.isArray(of) && of.every(isObject)) {
    return new Map(
      of.flatMap((part) => [...leaves(part, as.each, within(path, String(part['id'])))]),
    );
  }
  return new Map([[path, of]]);
}
const isObject = (one: Content): one is { readonly [name: string]: Json } =>
  typeof one === 'object' && one !== null && !Array.isArray(one);

const covers = (questions: readonly string[], path: string): boolean =>
  questions.some((one) => one === path || isInside(path, one) || isInside(one, path));

describe('the merge of two versions of an item', () => {
  it('has the same result if the two versions are exchanged', () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs }) => {
        const one = merge({ shape, base, mine, theirs });
        const other = merge({ shape, base, mine: theirs, theirs: mine });
        expect(other).toEqual({ ...one, mine: one.theirs, theirs: one.mine });
      }),
      settings,
    );
  });

  it('results in the changed version if the other is equal to it or unchanged', () => {
    fc.assert(
      fc.property(sides, ({ base, mine }) => {
        const same = { mine, theirs: mine, questions: [] };
        expect(merge({ shape, base, mine, theirs: mine })).toEqual(same);
        expect(merge({ shape, base, mine, theirs: base })).toEqual(same);
        expect(merge({ shape, base, mine: base, theirs: mine })).toEqual(same);
      }),
      settings,
    );
  });

  it('changes nothing and asks the same questions if it is repeated after its result was written', () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs }) => {
        const once = merge({ shape, base, mine, theirs });
        const { mine: here, questions: open } = once;
        const read = merge({ shape, base: theirs, mine: here, theirs, open });
        expect([read.mine, read.questions]).toEqual([here, open]);
        const written = merge({ shape, base: once.theirs, mine: here, theirs: once.theirs, open });
        expect([written.mine, written.questions]).toEqual([here, open]);
        // If a question about a removed part is open, the part may move within its list once.
        const again = { base: written.theirs, mine: here, theirs: written.theirs, open };
        expect(merge({ shape, ...again })).toEqual(written);
        if (open.length === 0) expect(written).toEqual(once);
      }),
      settings,
    );
  });

  it('loses no change of either version: it accepts the change or asks about it', () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs }) => {
        const merged = merge({ shape, base, mine, theirs });
        const [before, here, there] = [leaves(base), leaves(mine), leaves(theirs)];
        const [kept, shared] = [leaves(merged.mine), leaves(merged.theirs)];
        for (const path of new Set([...before.keys(), ...here.keys(), ...there.keys()])) {
          const [was, my, their] = [before.get(path), here.get(path), there.get(path)];
          if (covers(merged.questions, path)) continue;
          const isMine = !isSame(was, my);
          const isTheirs = !isSame(was, their);
          if (isMine && isTheirs) expect(my).toEqual(their);
          const expected = isMine ? my : their;
          expect([kept.get(path), shared.get(path)]).toEqual([expected, expected]);
        }
      }),
      settings,
    );
  });

  it('keeps both versions of a field that it asks about', () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs }) => {
        const merged = merge({ shape, base, mine, theirs });
        const [here, there] = [leaves(mine), leaves(theirs)];
        const [kept, shared] = [leaves(merged.mine), leaves(merged.theirs)];
        for (const path of new Set([...here.keys(), ...there.keys()])) {
          const isAsked = merged.questions.some((one) => one === path || isInside(path, one));
          if (!isAsked) continue;
          expect([kept.get(path), shared.get(path)]).toEqual([here.get(path), there.get(path)]);
        }
      }),
      settings,
    );
  });

  it('asks only about fields in which both versions differ from the base and from each other', () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs }) => {
        const { questions } = merge({ shape, base, mine, theirs });
        for (const path of questions.filter((one) => !one.endsWith('~order'))) {
          const at = (of: Content) => partOf(of, path);
          expect(isSame(at(mine), at(theirs))).toBe(false);
          expect(isSame(at(base), at(mine))).toBe(false);
          expect(isSame(at(base), at(theirs))).toBe(false);
        }
      }),
      settings,
    );
  });

  it('asks no question after a person chose the office’s version, and results in that version', () => {
    fc.assert(
      fc.property(sides, ({ base, mine, theirs }) => {
        const { mine: here, questions: open } = merge({ shape, base, mine, theirs });
        for (const taken of open) {
          const chosen = merge({ shape, base: theirs, mine: here, theirs, open, taken });
          expect(chosen.questions).toEqual(open.filter((one) => one !== taken));
          if (taken.endsWith('~order')) continue;
          expect(partOf(chosen.mine, taken)).toEqual(partOf(theirs, taken));
        }
      }),
      settings,
    );
  });

  it('asks about the whole item if the combination of the two versions would be invalid', () => {
    const base = { title: 'x', days: 1 };
    const [mine, theirs] = [
      { title: 'y', days: 1 },
      { title: 'x', days: 2 },
    ];
    const isWhole = (one: Json): boolean => JSON.stringify(one) !== '{"title":"y","days":2}';
    const merged = merge({ shape, base, mine, theirs, isWhole });
    expect(merged).toEqual({ mine, theirs, questions: [''] });
  });

  it('keeps each part of a list once, in the order of one of the versions', () => {
    const list = (...ids: readonly string[]): Json => ({ roles: ids.map((id) => ({ id })) });
    const order = (base: Json, mine: Json, theirs: Json) => {
      const merged = merge({ shape, base, mine, theirs });
      return [merged.mine, merged.theirs, merged.questions];
    };
    const both = (all: Json) => [all, all, []];
    expect(order(list('a', 'b'), list('b', 'a'), list('a', 'b', 'c'))).toEqual(
      both(list('b', 'c', 'a')),
    );
    expect(order(list('a'), list('a', 'm'), list('a', 'k'))).toEqual(both(list('a', 'k', 'm')));
    expect(order(list('a', 'b', 'c'), list('a', 'c'), list('c', 'b', 'a'))).toEqual(
      both(list('c', 'a')),
    );
    expect(order(list('a', 'b', 'c'), list('b', 'a', 'c'), list('a', 'c', 'b'))).toEqual([
      list('b', 'a', 'c'),
      list('a', 'c', 'b'),
      [orderPath('roles')],
    ]);
  });
});

/** Returns the value at a path of the shape. */
function partOf(of: Content, path: string): Content {
  if (path === '') return of;
  if (!isObject(of)) return undefined;
  for (const [name, held] of Object.entries(of)) {
    const here = within('', name);
    if (here === path) return held;
    if (!isInside(path, here)) continue;
    if (Array.isArray(held)) {
      const parts = held.filter(isObject);
      const part = parts.find((one) => {
        const at = within(here, String(one['id']));
        return at === path || isInside(path, at);
      });
      const at = within(here, String(part?.['id']));
      return at === path ? part : partOf(part, path.slice(at.length + 1));
    }
    return partOf(held, path.slice(here.length + 1));
  }
  return undefined;
}
