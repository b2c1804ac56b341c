import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from '../../shared/rules/evidence/canonical-json.ts';
import { settings } from './runs.ts';

const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }).map((value) => shaped(value));

/** Returns the value as JSON stores it, with only one kind of zero. */
function shaped(value: unknown): Json {
  if (Array.isArray(value)) return value.map(shaped);
  if (typeof value === 'object' && value !== null) return rebuilt(Object.entries(value));
  if (typeof value === 'number') return value === 0 ? 0 : value;
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

/** Creates an object with these entries; even a key such as `__proto__` becomes an own key. */
function rebuilt(entries: readonly (readonly [string, unknown])[]): Json {
  const made: Record<string, Json> = {};
  for (const [key, value] of entries) {
    const property = { value: shaped(value), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(made, key, property);
  }
  return made;
}

/** Returns the same data with its keys reversed and with undefined values between them. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const made: Record<string, Json | undefined> = { '\u0000nothing': undefined };
  for (const [key, held] of Object.entries(value).toReversed()) {
    const property = { value: turned(held ?? null), enumerable: true };
    Object.defineProperty(made, key, property);
  }
  return made;
}

describe('canonical JSON', () => {
  it('is the same for the same data, in any order of keys (TE-P13)', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
      }),
      settings,
    );
  });

  it('loses no data: it parses to the same data, from which the same text is made (TE-P13)', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        const read: Json = JSON.parse(text);
        expect(read).toEqual(value);
        expect(canonicalJson(read)).toBe(text);
      }),
      settings,
    );
  });

  it('is different for different data (TE-P13)', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const isSame = canonicalJson(one) === canonicalJson(other);
        expect(isSame).toBe(isDeepStrictEqual(one, other));
      }),
      settings,
    );
  });
});
