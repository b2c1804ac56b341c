import { PDFDropdown, type PDFField, PDFOptionList } from 'pdf-lib';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import { boxEffect } from '../../../shared/rules/forms/box-words.ts';
import { chosenOptions } from '../../../shared/rules/forms/field-values.ts';
import { isStateField, stateTexts } from './box-states.ts';

/*
 * Fields with the same name are one field to a person, and have one value. Each field shows as much
 * of the value as it can: a checkbox its own on-state, a list its own options.
 */

/** Merges two fields with the same name: the merged field accepts only values that both accept. */
export function mergeSiblings(known: PdfField, other: PdfField): PdfField {
  const places = [...(known.places ?? []), ...(other.places ?? [])];
  const merged = { ...known, places };
  if (isState(known) && isState(other)) return mergeStates(merged, other);
  if (known.type === 'choice' && other.type === 'choice') return mergeLists(merged, other);
  if (known.type !== 'text' || other.type !== 'text') return merged;
  return mergeTexts(merged, other);
}

/**
 * Merges two text fields. A calculation, password flag or format of one of them concerns the value
 * of both.
 */
function mergeTexts(known: PdfField, other: PdfField): PdfField {
  const limits = [known.maxLength, other.maxLength].filter((limit) => limit !== undefined);
  const formats = [known.format, other.format].map((format) => JSON.stringify(format));
  const checks = [known.check, other.check].map((check) => JSON.stringify(check));
  const calculation = known.calculation ?? other.calculation;
  return {
    ...known,
    ...(limits.length === 0 ? {} : { maxLength: Math.min(...limits) }),
    ...(formats[0] === formats[1] ? {} : { format: { kind: 'other' } }),
    ...(checks[0] === checks[1] ? {} : { check: { kind: 'other' } }),
    ...(known.calculated === true || other.calculated === true ? { calculated: true } : {}),
    ...(calculation === undefined ? {} : { calculation }),
    ...(known.password === true || other.password === true ? { password: true } : {}),
  };
}

const isState = ({ type }: PdfField): boolean => type === 'checkbox' || type === 'radio';

function mergeStates(known: PdfField, other: PdfField): PdfField {
  const options = [...new Set([...(known.options ?? []), ...(other.options ?? [])])];
  const isBox = known.type === 'checkbox' && other.type === 'checkbox' && options.length < 2;
  const shown = [known, other].map((field) => {
    if (field.type !== 'checkbox') return field.value;
    return field.value === 'true' ? (field.options?.[0] ?? '') : '';
  });
  const value = shown.find((text) => text !== '') ?? '';
  return {
    ...known,
    type: isBox ? 'checkbox' : 'radio',
    options,
    value: isBox ? String(value !== '') : value,
  };
}

/** Merges two lists. Only options that both offer are kept, because both show the value. */
function mergeLists(known: PdfField, other: PdfField): PdfField {
  const offered = new Set(other.options);
  const places = [...(known.options ?? []).keys()].filter((at) =>
    offered.has(known.options?.[at] ?? ''),
  );
  const kept = (all: readonly string[]) => places.map((at) => all[at] ?? '');
  const { editable: _isEditable, multiple: _isMultiple, exports, ...rest } = known;
  return {
    ...rest,
    options: kept(known.options ?? []),
    ...(exports === undefined ? {} : { exports: kept(exports) }),
    ...(known.editable === true && other.editable === true ? { editable: true } : {}),
    ...(known.multiple === true && other.multiple === true ? { multiple: true } : {}),
  };
}

/**
 * Returns the text that one field shows for the value of its name. For a checkbox, it is the text
 * of the state that is on, or empty if none is. A list with several choices keeps the value itself,
 * which `choicesIn` splits.
 */
export function shownValueIn(field: PDFField, described: PdfField, value: string): string {
  if (field instanceof PDFOptionList && described.type === 'choice') return value;
  const shown = shownValue(described, value);
  if (isStateField(field)) return stateIn(stateTexts(field), described, shown);
  if (described.type !== 'text') return shown;
  const isList = field instanceof PDFDropdown || field instanceof PDFOptionList;
  const isOffered = !isList || field.getOptions().includes(value) || canHoldAny(field);
  return isOffered ? shown : '';
}

/** Returns the options of a list for the text from `shownValueIn`. */
export function choicesIn(described: PdfField | null, shown: string): readonly string[] {
  if (described?.type === 'choice') return optionsWithValue(described, shown);
  return shown === '' ? [] : [shown];
}

/** Returns the options that a value names, as displayed; in an editable list also a free text. */
function optionsWithValue(described: PdfField, value: string): readonly string[] {
  if (value === '') return [];
  const { options = [] } = described;
  return chosenOptions(described, value)?.map((place) => options[place] ?? '') ?? [value];
}

function shownValue(described: PdfField, value: string): string {
  switch (described.type) {
    case 'checkbox':
      return value === 'true' ? (described.options?.[0] ?? 'X') : '';
    case 'choice':
      return optionsWithValue(described, value).join('');
    default:
      return value;
  }
}

/**
 * Returns the state of a checkbox or radio group; a text or option without a meaning for a checkbox
 * of the same name leaves it empty.
 */
function stateIn(texts: readonly string[], { type }: PdfField, shown: string): string {
  if (shown === '') return '';
  if (type === 'checkbox' || type === 'radio') return texts.includes(shown) ? shown : '';
  const [only = ''] = texts;
  if (texts.length < 2) return boxEffect(only, shown) === 'tick' ? only : '';
  const [place = -1] = chosenOptions({ type: 'radio', options: [...texts] }, shown) ?? [];
  return texts[place] ?? '';
}

function canHoldAny(field: PDFDropdown | PDFOptionList): boolean {
  return field instanceof PDFDropdown && field.isEditable();
}
