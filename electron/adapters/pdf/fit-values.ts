import type { PdfField, PdfValues } from '../../../shared/model/pdf-form.ts';
import { AppError, type ErrorReason } from '../../../shared/errors.ts';
import { totalsOf } from '../../../shared/rules/forms/calculate.ts';
import { fitValue, type ValueProblem } from '../../../shared/rules/forms/field-values.ts';

const reasonByProblem: Readonly<Record<ValueProblem['code'], ErrorReason>> = {
  'too-long': 'pdf-value-too-long',
  'not-offered': 'pdf-no-such-option',
  'signature-field': 'pdf-no-such-field',
  'password-field': 'pdf-password-field',
};

/** A form's fields by name, and by their name in earlier versions of this program. */
export type FieldsByName = ReadonlyMap<string, PdfField>;

export function fieldsByName(fields: readonly PdfField[]): FieldsByName {
  const former = fields.flatMap((field) =>
    field.formerName === undefined ? [] : [[field.formerName, field] as const],
  );
  return new Map([...former, ...fields.map((field) => [field.name, field] as const)]);
}

/**
 * Returns the values as stored in the fields, by the fields' own names; without values that leave a
 * field unchanged, and with the totals that simple scripts of the form calculate. Throws 'invalid'
 * with the field's name if the field is missing or does not accept its value.
 */
export function fitValues(
  fields: FieldsByName,
  values: PdfValues,
): ReadonlyMap<string, string | boolean> {
  const fitted = new Map<string, string | boolean>();
  for (const [name, given] of Object.entries(values)) {
    const field = fields.get(name);
    if (field === undefined) {
      throw fieldValueError(name, 'pdf-no-such-field', 'The form has no such field');
    }
    const { value, problem } = fitValue(field, given);
    if (problem !== null)
      throw fieldValueError(name, reasonByProblem[problem.code], problem.message);
    if (value !== null) fitted.set(field.name, value);
  }
  const { worked } = totalsOf([...new Set(fields.values())], fitted);
  for (const [name, total] of worked) fitted.set(name, total);
  return fitted;
}

/** Returns the fields that a person could fill, but that are empty and got no value. */
export function unfilledFieldNames(
  fields: readonly PdfField[],
  fitted: ReadonlyMap<string, string | boolean>,
): readonly string[] {
  const isOpen = ({ type, value, readOnly, password = false }: PdfField) =>
    !readOnly && !password && type !== 'signature' && type !== 'button' && value === '';
  return fields.filter((field) => isOpen(field) && !fitted.get(field.name)).map(({ name }) => name);
}

function fieldValueError(field: string, reason: ErrorReason, message: string): AppError {
  return new AppError('invalid', `${field}: ${message}`, { reason, fields: { [field]: message } });
}
