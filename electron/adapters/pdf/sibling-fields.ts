import { PDFDropdown, type PDFField, PDFOptionList } from 'pdf-lib';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import { boxEffect } from '../../../shared/rules/forms/box-words.ts';
import { chosenOptions } from '../../../shared/rules/forms/field-values.ts';
import { isStateField, stateTexts } from './box-states.ts';

/*
 * Fields that share a name are one field to a person, and hold one value. Each shows of it what it
 * can: boxes their own on-state, lists their own options.
 */

/** Two fields of one name as the one that is filled by it: what it takes, every one of them takes. */
export function mergeSiblings(known: PdfField, other: PdfField): PdfField {
  const places = [...(known.places ?? []), ...(other.places ?? [])];
  const merged = { ...known, places };
  if (isState(known) && isState(other)) return mergeStates(merged, other);
  if (known.type === 'choice' && other.type === 'choice') return mergeLists(merged, other);
  if (known.type !== 'text' || other.type !== 'text') return merged;
  return mergeTexts(merged, other);
}

/** What one of them calculates, hides or writes in its own way concerns the value of all. */
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

/** A word that only one of two lists offers would be shown by the other one too. */
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
 * What one field of a name shows for the value that fits the name: for boxes the text of the state
 * that is on, empty for none. A list in which several may be chosen keeps the value itself, which
 * `choicesIn` takes apart.
 */
export function shownIn(field: PDFField, described: PdfField, value: string): string {
  if (field instanceof PDFOptionList && described.type === 'choice') return value;
  const shown = shownValue(described, value);
  if (isStateField(field)) return stateIn(stateTexts(field), described, shown);
  if (described.type !== 'text') return shown;
  const isList = field instanceof PDFDropdown || field instanceof PDFOptionList;
  const isOffered = !isList || field.getOptions().includes(value) || canHoldAny(field);
  return isOffered ? shown : '';
}

/** The options of a list for what `shownIn` made of the value. */
export function choicesIn(described: PdfField | null, shown: string): readonly string[] {
  if (described?.type === 'choice') return optionsNamed(described, shown);
  return shown === '' ? [] : [shown];
}

/** The options a value names as they are shown; a text of one's own in an editable list. */
function optionsNamed(described: PdfField, value: string): readonly string[] {
  if (value === '') return [];
  const { options = [] } = described;
  return chosenOptions(described, value)?.map((place) => options[place] ?? '') ?? [value];
}

function shownValue(described: PdfField, value: string): string {
  switch (described.type) {
    case 'checkbox':
      return value === 'true' ? (described.options?.[0] ?? 'X') : '';
    case 'choice':
      return optionsNamed(described, value).join('');
    default:
      return value;
  }
}

/** A text or an option that says nothing of a box of the same name leaves it empty. */
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
