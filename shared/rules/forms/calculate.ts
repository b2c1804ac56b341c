import type { Calculation } from '../../model/form-scripts.ts';
import type { PdfField } from '../../model/pdf-form.ts';
import { type Decimal, decimalOf, decimalText, isLess, scaleUnits } from './decimals.ts';
import { fitValue } from './field-values.ts';
import { decimalInFormat, decimalInScript } from './form-format.ts';

/** Values from `fitValue`, by field name. */
export type FittedValues = ReadonlyMap<string, string | boolean>;

interface Totals {
  /** Values of the calculated fields, by name. */
  readonly worked: ReadonlyMap<string, string>;
  /** Calculated fields without a value, which keep their old content next to new values. */
  readonly left: readonly PdfField[];
}

/**
 * Maximum number of fields examined for the totals of one form; stops a form made to take very
 * long.
 */
const MAX_FIELDS_EXAMINED = 100_000;
/** Maximum units of a total; a larger number is not an amount. */
const MAX_TOTAL_UNITS = 10n ** 40n;
/** Maximum number of decimal places of an average. */
const MAX_DECIMAL_PLACES = 20;

/**
 * Calculates the totals of simple scripts, in the form's order, from the given values and the
 * content of other fields. Decimals are exact, so 0.1 + 0.2 is 0.3 and no amount is rounded. An
 * empty field counts as 0. A total is unchanged if a field that it needs is not a number, or is
 * calculated later or by another script. It is also unchanged if all of its fields are empty and
 * none was given a value.
 */
export function totalsOf(fields: readonly PdfField[], fitted: FittedValues): Totals {
  const open = fields.filter(({ name, calculated }) => calculated === true && !fitted.has(name));
  if (open.length === 0 || fitted.size === 0) return { worked: new Map(), left: [] };
  return new Calculator(fields, fitted, open).totals();
}

/** Number in a field (0 if empty), and whether its decimal separator is a comma. */
interface Operand {
  readonly value: Decimal;
  readonly isEmpty: boolean;
  readonly isGiven: boolean;
  readonly hasComma: boolean;
}

class Calculator {
  readonly #fields: readonly PdfField[];
  readonly #byName: ReadonlyMap<string, PdfField>;
  readonly #fitted: FittedValues;
  readonly #open: readonly PdfField[];
  readonly #worked = new Map<string, string>();
  /** Totals that are unchanged because all their fields are empty; other totals may use them. */
  readonly #kept = new Set<string>();
  #looks = 0;

  constructor(fields: readonly PdfField[], fitted: FittedValues, open: readonly PdfField[]) {
    this.#fields = fields;
    this.#byName = new Map(fields.map((field) => [field.name, field]));
    this.#fitted = fitted;
    this.#open = open;
  }

  totals(): Totals {
    const inOrder = this.#open
      .filter(({ calculation }) => calculation !== undefined)
      .toSorted((a, b) => (a.calculation?.order ?? 0) - (b.calculation?.order ?? 0));
    for (const field of inOrder) this.#work(field);
    const left = this.#open.filter(({ name }) => !this.#worked.has(name) && !this.#kept.has(name));
    return { worked: this.#worked, left };
  }

  #work(field: PdfField): void {
    const { calculation } = field;
    const operands = calculation === undefined ? null : this.#operands(calculation);
    if (calculation === undefined || operands === null) return;
    if (operands.every(({ isEmpty, isGiven }) => isEmpty && !isGiven)) {
      this.#kept.add(field.name);
      return;
    }
    const total = calculated(
      calculation.how,
      operands.map(({ value }) => value),
    );
    const text = total === null ? null : totalText(total, field, operands);
    const value = text === null ? null : fitValue(field, text).value;
    if (typeof value === 'string') this.#worked.set(field.name, value);
  }

  /** Returns the numbers in the fields of a calculation; null if a field has no number. */
  #operands({ of }: Calculation): readonly Operand[] | null {
    const found: Operand[] = [];
    for (const name of of) {
      const fields = this.#named(name);
      if (fields.length === 0) return null;
      for (const field of fields) {
        const operand = this.#operand(field);
        if (operand === null) return null;
        found.push(operand);
      }
    }
    return found;
  }

  /** Finds the field with this name, or all fields of the group with this name. */
  #named(name: string): readonly PdfField[] {
    const only = this.#byName.get(name);
    this.#looks += only === undefined ? this.#fields.length : 1;
    if (this.#looks > MAX_FIELDS_EXAMINED) return [];
    if (only !== undefined) return [only];
    return this.#fields.filter((field) => field.name.startsWith(`${name}.`));
  }

  #operand(field: PdfField): Operand | null {
    const { name } = field;
    const given = this.#fitted.get(name) ?? this.#worked.get(name);
    if (given === undefined && field.calculated === true && !this.#kept.has(name)) return null;
    const text = (given === undefined ? currentValueOf(field) : valueGivenTo(field, given)).trim();
    const value = text === '' ? { units: 0n, places: 0 } : numberIn(field, text);
    if (value === null) return null;
    const hasComma = text.lastIndexOf(',') > text.lastIndexOf('.');
    return { value, isEmpty: text === '', isGiven: given !== undefined, hasComma };
  }
}

function valueGivenTo({ options = [] }: PdfField, given: string | boolean): string {
  if (typeof given === 'string') return given;
  return given ? (options[0] ?? '') : '';
}

/** Content of a field as scripts see it: for a list, the export value. */
function currentValueOf(field: PdfField): string {
  const { type, value, options = [], exports } = field;
  if (type === 'checkbox') return valueGivenTo(field, value === 'true');
  return exports?.[options.indexOf(value)] ?? value;
}

function numberIn({ format }: PdfField, text: string): Decimal | null {
  return format?.kind === 'number' ? decimalInFormat(format, text) : decimalOf(text);
}

function totalText(
  total: Decimal,
  { format, day, number }: PdfField,
  operands: readonly Operand[],
): string | null {
  if (format?.kind === 'number') return decimalInScript(total, format);
  if (format !== undefined || day !== undefined || number !== undefined) return null;
  const broken = operands.filter(({ value }) => value.places > 0);
  const isComma = broken.length > 0 && broken.every(({ hasComma }) => hasComma);
  return decimalText(total, { group: '', point: isComma ? ',' : '.' });
}

/** Result of a calculation; null if it has infinitely many digits, or more than an amount. */
function calculated(how: Calculation['how'], values: readonly Decimal[]): Decimal | null {
  switch (how) {
    case 'SUM':
      return sumOf(values);
    case 'AVG':
      return quotientOf(sumOf(values), BigInt(values.length));
    case 'PRD':
      return values.reduce<Decimal | null>(
        (all, { units, places }) =>
          all === null
            ? null
            : withinTotalLimit({ units: all.units * units, places: all.places + places }),
        { units: 1n, places: 0 },
      );
    case 'MIN':
      return values.reduce((least, one) => (isLess(one, least) ? one : least));
    case 'MAX':
      return values.reduce((most, one) => (isLess(most, one) ? one : most));
  }
}

function sumOf(values: readonly Decimal[]): Decimal {
  const places = values.reduce((most, one) => Math.max(most, one.places), 0);
  const units = values.reduce((all, one) => all + scaleUnits(one, places), 0n);
  return { units, places };
}

function quotientOf({ units, places }: Decimal, count: bigint): Decimal | null {
  for (let more = 0; more <= MAX_DECIMAL_PLACES; more += 1) {
    const wide = units * 10n ** BigInt(more);
    if (wide % count === 0n) return { units: wide / count, places: places + more };
  }
  return null;
}

function withinTotalLimit(value: Decimal): Decimal | null {
  return value.units < MAX_TOTAL_UNITS && value.units > -MAX_TOTAL_UNITS && value.places <= 40
    ? value
    : null;
}
