import { lengthOf } from './formats.ts';
import {
  isContractProblem,
  Refusal,
  type Path,
  type Problem,
  type ProblemKind,
} from './refusal.ts';

interface TextRule {
  /** Most characters allowed. */
  readonly max?: number;
  readonly form?: (text: string) => boolean;
  /** What the form is, for the sentence in the answer. */
  readonly called?: string;
  readonly allowEmpty?: boolean;
}

/**
 * One place in a request body. Reading it notes every problem under its path and goes on with a
 * harmless stand-in, so that one answer can name all of them; `finish` refuses when there are any.
 */
export class Place {
  readonly path: Path;
  readonly #value: unknown;
  readonly #problems: Problem[];

  constructor(value: unknown, path: Path = [], problems: Problem[] = []) {
    this.#value = value;
    this.path = path;
    this.#problems = problems;
  }

  /** True when the key was sent at all, null included. */
  get isPresent(): boolean {
    return this.#value !== undefined;
  }

  get isNull(): boolean {
    return this.#value === null;
  }

  get hasProblems(): boolean {
    return this.#problems.length > 0;
  }

  get(key: string | number): Place {
    const value =
      isObject(this.#value) && Object.hasOwn(this.#value, key) ? this.#value[key] : undefined;
    return new Place(value, [...this.path, key], this.#problems);
  }

  keys(): readonly string[] {
    return isObject(this.#value) ? Object.keys(this.#value) : [];
  }

  refuse(kind: ProblemKind, detail: string): void {
    this.#problems.push({ path: this.path, kind, detail });
  }

  /** Notes a problem unless this is an object with no other keys than these. */
  object(allowed: readonly string[]): this {
    if (!isObject(this.#value)) this.#wrongType('an object');
    for (const key of this.keys()) {
      if (!allowed.includes(key)) this.get(key).refuse('unknown-field', `Unknown field '${key}'.`);
    }
    return this;
  }

  need(): boolean {
    if (!this.isPresent) this.refuse('required', 'This field is required.');
    return this.isPresent;
  }

  /** Notes a problem when a field that has no meaning here was sent at all. */
  forbid(detail: string): void {
    if (this.isPresent) this.refuse('not-applicable', detail);
  }

  /** The items of an array; none when absent. */
  items(): readonly Place[] {
    if (!this.isPresent) return [];
    if (Array.isArray(this.#value)) {
      return this.#value.map(
        (item: unknown, at) => new Place(item, [...this.path, at], this.#problems),
      );
    }
    this.#wrongType('an array');
    return [];
  }

  /** The items of an array that must be there and hold something. */
  needItems(): readonly Place[] {
    if (!this.need()) return [];
    const items = this.items();
    if (Array.isArray(this.#value) && items.length === 0) {
      this.refuse('required', 'At least one is required.');
    }
    return items;
  }

  text(rule: TextRule = {}): string | null {
    if (!this.isPresent) return null;
    if (typeof this.#value !== 'string') return this.#wrongType('a text');
    const text = this.#value;
    if (text.trim() === '' && rule.allowEmpty !== true) {
      this.refuse('format', 'Must not be blank.');
    } else if (rule.max !== undefined && lengthOf(text) > rule.max) {
      this.refuse('length', `At most ${String(rule.max)} characters are allowed.`);
    } else if (rule.form !== undefined && text !== '' && !rule.form(text)) {
      this.refuse('format', `Must be ${rule.called ?? 'of the documented form'}.`);
    }
    return text;
  }

  /** A text that must be there and not be blank. */
  needText(rule: TextRule = {}): string {
    if (!this.isPresent || this.#value === '') {
      this.refuse('required', 'This field is required.');
      return '';
    }
    return this.text(rule) ?? '';
  }

  choice<T extends string>(choices: readonly [T, ...T[]]): T | null {
    if (!this.isPresent) return null;
    if (typeof this.#value !== 'string') return this.#wrongType('a text');
    const found = choices.find((choice) => choice === this.#value);
    if (found === undefined) this.refuse('choice', `Must be one of ${choices.join(', ')}.`);
    return found ?? null;
  }

  needChoice<T extends string>(choices: readonly [T, ...T[]]): T {
    if (!this.need()) return choices[0];
    return this.choice(choices) ?? choices[0];
  }

  flag(): boolean | null {
    if (typeof this.#value === 'boolean') return this.#value;
    return this.isPresent ? this.#wrongType('true or false') : null;
  }

  number(): number | null {
    if (!this.isPresent) return null;
    if (typeof this.#value === 'number') return this.#value;
    return this.#wrongType('a number');
  }

  whole(least: number, most: number): number | null {
    const value = this.number();
    if (value === null) return null;
    if (!Number.isInteger(value) || value < least || value > most) {
      this.refuse('range', `Must be a whole number from ${String(least)} to ${String(most)}.`);
    }
    return value;
  }

  /** A text or a truth value, as the fields of a v2 template take it. */
  textOrFlag(): string | boolean | null {
    return typeof this.#value === 'boolean' ? this.#value : this.text({ allowEmpty: true });
  }

  /**
   * @throws Refusal with 400 for problems of the body's shape, else with `fieldStatus`.
   */
  finish(fieldStatus: 400 | 422): void {
    const contract = this.#problems.filter(isContractProblem);
    if (contract.length > 0) {
      throw new Refusal(400, 'The request does not follow the contract.', { problems: contract });
    }
    if (this.#problems.length > 0) {
      throw new Refusal(fieldStatus, 'The request has invalid fields.', {
        problems: this.#problems,
      });
    }
  }

  #wrongType(wanted: string): null {
    this.refuse('type', `Must be ${wanted}.`);
    return null;
  }
}

/**
 * The root of a JSON body.
 * @throws Refusal with 400 when the bytes are not UTF-8 or not a JSON object or array.
 */
export function readJson(body: Buffer): Place {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value === 'object' && value !== null) return new Place(value);
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof TypeError)) throw cause;
  }
  throw new Refusal(400, 'The body is not valid JSON.');
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
