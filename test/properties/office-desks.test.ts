import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Content, fieldOf, merge, type Shape } from '../../shared/rules/office/merge.ts';
import { settings } from './runs.ts';

const shape: Shape = {
  fields: { title: 'one', text: 'one', roles: { parts: 'id', each: { fields: { name: 'one' } } } },
};

type Role = { readonly id: string; readonly name: string };
/** An item as a user sees it; null once it is removed. */
type Thing = { readonly title: string; readonly text: string; readonly roles: readonly Role[] };

interface Desk {
  mine: Thing | null;
  /**
   * The item as it was last read from the office. `open` contains the fields about which the user
   * is asked.
   */
  base: Thing | null;
  open: readonly string[];
}

type Step = { readonly desk: number } & (
  | { readonly kind: 'write'; readonly field: 'title' | 'text' }
  | { readonly kind: 'name'; readonly role: string }
  | { readonly kind: 'drop'; readonly role: string }
  | { readonly kind: 'move'; readonly role: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'sync'; readonly isCut: boolean }
  | { readonly kind: 'choose'; readonly which: number; readonly isMine: boolean }
);

const role = fc.constantFrom('a', 'b', 'c');
const desk = fc.constantFrom(0, 1, 2);
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: write(), weight: 3 },
  { arbitrary: fc.record({ desk, kind: fc.constant('name' as const), role }), weight: 4 },
  { arbitrary: fc.record({ desk, kind: fc.constant('drop' as const), role }), weight: 2 },
  { arbitrary: fc.record({ desk, kind: fc.constant('move' as const), role }), weight: 1 },
  { arbitrary: fc.record({ desk, kind: fc.constant('delete' as const) }), weight: 1 },
  { arbitrary: sync(), weight: 6 },
  { arbitrary: choose(), weight: 2 },
);
function write() {
  const field = fc.constantFrom('title' as const, 'text' as const);
  return fc.record({ desk, kind: fc.constant('write' as const), field });
}
function sync() {
  return fc.record({ desk, kind: fc.constant('sync' as const), isCut: fc.boolean() });
}
function choose() {
  const [which, isMine] = [fc.nat({ max: 5 }), fc.boolean()];
  return fc.record({ desk, kind: fc.constant('choose' as const), which, isMine });
}

/**
 * Model of an office with three computers. They change an item, and exchange it when they reach the
 * office, only by the rules of the merge.
 */
class Office {
  #shared: Thing | null = { title: 'as it was', text: '', roles: [] };
  readonly #desks: readonly Desk[];
  /**
   * Typed texts that must not be lost: without those that a user saw and then replaced or removed.
   */
  readonly #typed = new Set<string>();
  #count = 0;

  constructor() {
    const shared = this.#shared;
    this.#desks = [0, 1, 2].map(() => ({ mine: shared, base: shared, open: [] }));
  }

  step(step: Step): void {
    const one = this.desk(step.desk);
    switch (step.kind) {
      case 'sync':
        this.#sync(one, step.isCut);
        break;
      case 'choose':
        this.choose(one, one.open[step.which % Math.max(1, one.open.length)], step.isMine);
        break;
      default:
        this.#write(
          one,
          edited(one.mine, step, () => this.#type()),
        );
    }
  }

  desk(at: number): Desk {
    return this.#desks[at] ?? expect.unreachable();
  }

  /** Lets every computer read and write, until none of them gets new data. */
  settle(): void {
    for (let round = 0; round < 4; round += 1) {
      for (const one of this.#desks) this.#sync(one, false);
    }
  }

  choose(one: Desk, field: string | undefined, isMine: boolean): void {
    if (field === undefined) return;
    const shown = merge({ shape, base: one.base ?? undefined, ...sidesOf(one), open: one.open });
    if (!shown.questions.includes(field)) return;
    // The user who chooses has seen both versions, so the rejected version may be lost.
    const refused = isMine ? fieldOf(shape, one.base ?? undefined, field) : one.mine;
    this.#forget(refused, isMine ? one.mine : null);
    if (isMine) {
      one.open = shown.questions.filter((other) => other !== field);
      return;
    }
    const order = { shape, base: one.base ?? undefined, ...sidesOf(one), open: one.open };
    const chosen = merge({ ...order, taken: field });
    one.mine = thingOf(chosen.mine);
    one.open = chosen.questions;
  }

  /** Removes the typed texts in `from` that are not in `kept` from those that must not be lost. */
  #forget(from: Content | Thing | null, kept: Thing | null): void {
    const held = new Set(textsOf(kept));
    for (const text of textsOf(from)) {
      if (!held.has(text)) this.#typed.delete(text);
    }
  }

  lost(): readonly string[] {
    const held = new Set([
      ...textsOf(this.#shared),
      ...this.#desks.flatMap(({ mine }) => textsOf(mine)),
    ]);
    return [...this.#typed].filter((text) => !held.has(text));
  }

  get shared(): Thing | null {
    return this.#shared;
  }

  get desks(): readonly Desk[] {
    return this.#desks;
  }

  #type(): string {
    this.#count += 1;
    const text = `typed ${String(this.#count)}.`;
    this.#typed.add(text);
    return text;
  }

  #write(one: Desk, next: Thing | null): void {
    this.#forget(one.mine, next);
    one.mine = next;
  }

  /** Lets a computer read and write. If `isCut` is true, its writes do not arrive at the office. */
  #sync(one: Desk, isCut: boolean): void {
    const theirs = this.#shared ?? undefined;
    const mine = one.mine ?? undefined;
    const merged = merge({ shape, base: one.base ?? undefined, mine, theirs, open: one.open });
    one.mine = thingOf(merged.mine);
    one.base = this.#shared;
    one.open = merged.questions;
    if (isCut) return;
    this.#shared = thingOf(merged.theirs);
    one.base = this.#shared;
  }
}

const sidesOf = ({ mine, base }: Desk) => ({ mine: mine ?? undefined, theirs: base ?? undefined });

function edited(thing: Thing | null, step: Step, type: () => string): Thing | null {
  if (step.kind === 'delete' || step.kind === 'sync' || step.kind === 'choose') return null;
  const { title, text, roles } = thing ?? { title: '', text: '', roles: [] };
  const known = { title, text, roles };
  if (step.kind === 'write') {
    return step.field === 'title' ? { ...known, title: type() } : { ...known, text: type() };
  }
  const others = roles.filter(({ id }) => id !== step.role);
  if (step.kind === 'drop') return { ...known, roles: others };
  if (step.kind === 'move') {
    return { ...known, roles: [...roles.filter(({ id }) => id === step.role), ...others] };
  }
  const named = { id: step.role, name: type() };
  const isThere = others.length < roles.length;
  const next = isThere
    ? roles.map((one) => (one.id === step.role ? named : one))
    : [...roles, named];
  return { ...known, roles: next };
}

/**
 * Converts content to an item, or to null if there is none. The model writes only simple items, so
 * it reads only such items.
 */
function thingOf(content: Content): Thing | null {
  const text = JSON.stringify(content);
  return text === undefined ? null : (JSON.parse(text) as Thing);
}

const textsOf = (of: Content | Thing | null): readonly string[] =>
  [...JSON.stringify(of ?? null).matchAll(/typed \d+\./gu)].map(([text]) => text);

describe('three computers that write, go offline and return in any order', () => {
  it('lose no text, except one that a user who saw it replaced or removed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const office = new Office();
        for (const one of steps) office.step(one);
        expect(office.lost()).toEqual([]);
        office.settle();
        expect(office.lost()).toEqual([]);
      }),
      settings,
    );
  });

  it('have the same data at the end, except for fields of open questions', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const office = new Office();
        for (const one of steps) office.step(one);
        office.settle();
        for (const { mine, open, base } of office.desks) {
          expect(base).toEqual(office.shared);
          if (open.length === 0) expect(mine).toEqual(office.shared);
        }
      }),
      settings,
    );
  });

  it('have the same data once every question is answered, whatever the answers are', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.infiniteStream(fc.boolean()),
        (steps, choices) => {
          const office = new Office();
          for (const one of steps) office.step(one);
          for (let round = 0; round < 12; round += 1) {
            office.settle();
            for (const one of office.desks) {
              for (const field of one.open) {
                office.choose(one, field, choices.next().value === true);
              }
            }
          }
          office.settle();
          for (const { mine, open } of office.desks) {
            expect(open).toEqual([]);
            expect(mine).toEqual(office.shared);
          }
          expect(office.lost()).toEqual([]);
        },
      ),
      settings,
    );
  });

  it('ask no question if they wrote different fields', () => {
    const office = new Office();
    office.step({ desk: 0, kind: 'write', field: 'title' });
    office.step({ desk: 1, kind: 'write', field: 'text' });
    office.step({ desk: 2, kind: 'name', role: 'a' });
    office.settle();
    expect(office.desks.flatMap(({ open }) => open)).toEqual([]);
    expect(office.shared).toEqual({
      title: 'typed 1.',
      text: 'typed 2.',
      roles: [{ id: 'a', name: 'typed 3.' }],
    });
  });
});
