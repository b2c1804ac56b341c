import { lengthOf } from './formats.ts';
import {
  isContractProblem,
  Refusal,
  type Path,
  type Problem,
  type ProblemKind,
} from './refusal.ts';

interface TextRule {
  readonly max?: number;
  readonly form?: (text: string) => boolean;
  /** Name of the format, for the error message. */
  readonly called?: string;
  readonly allowEmpty?: boolean;
}

/**
 * A value at one path of a request body, or its absence. Reading records every problem under its
 * path and continues with a harmless default, so that one response can list all problems; `finish`
 * throws if there are any.
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

  /** Whether the key was sent, even with the value null. */
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

  /** Records a problem unless this is an object with only these keys. */
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

  /** Records a problem if a field was sent that has no meaning in this request. */
  forbid(detail: string): void {
    if (this.isPresent) this.refuse('not-applicable', detail);
  }

  /** Returns the items of an array; none if the array was not sent. */
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

  /** Returns the items of a required array, which must not be empty. */
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

  /** Returns a required text, which must not be blank. */
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

  /** Returns a text or a boolean, as in the fields of a v2 template. */
  textOrFlag(): string | boolean | null {
    return typeof this.#value === 'boolean' ? this.#value : this.text({ allowEmpty: true });
  }

  /** @throws Refusal with 400 for problems of the body's shape, otherwise with `fieldStatus`. */
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
 * Parses a JSON body and returns its root.
 * @throws Refusal with 400 if the bytes are not UTF-8 or not a JSON object or array.
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
