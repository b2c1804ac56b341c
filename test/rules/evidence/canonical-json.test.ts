import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from '../../../shared/rules/evidence/canonical-json.ts';

/** Returns the same data with its keys in the opposite order, at every depth. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(
    entries.map(([key, held]) => [key, held === undefined ? held : turned(held)]),
  );
}

describe('the canonical JSON that an evidence hash covers', () => {
  it('sorts keys by code units at every depth (TE-U04)', () => {
    const data = { b: 1, a: { d: [{ z: 1, y: 2 }], c: 2 }, å: 3, Z: 4, '10': 5, '9': 6 };
    expect(canonicalJson(data)).toBe(
      '{"10":5,"9":6,"Z":4,"a":{"c":2,"d":[{"y":2,"z":1}]},"b":1,"å":3}',
    );
  });

  it('does not depend on the order in which the data was created (TE-U04)', () => {
    const data = {
      number: 7,
      at: 1_700_000_000_000,
      ref: null,
      by: { user: 'maria', person: { name: 'Åsa', id: '1' } },
      fact: {
        kind: 'reviewed',
        documents: [
          { id: 'd', bytes: 7 },
          { id: 'e', bytes: 8 },
        ],
      },
    };
    expect(JSON.stringify(turned(data))).not.toBe(JSON.stringify(data));
    expect(canonicalJson(turned(data))).toBe(canonicalJson(data));
  });

  it('keeps the order of lists, and omits keys without a value (TE-U04)', () => {
    expect(canonicalJson([3, 1, 2])).toBe('[3,1,2]');
    expect(canonicalJson({ b: undefined, a: null })).toBe('{"a":null}');
  });
});
