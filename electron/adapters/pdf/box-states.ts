import {
  defaultCheckBoxAppearanceProvider,
  defaultRadioGroupAppearanceProvider,
  normalizeAppearance,
  PDFArray,
  PDFCheckBox,
  PDFDict,
  type PDFField,
  PDFHexString,
  PDFName,
  type PDFOperator,
  PDFRadioGroup,
  PDFRawStream,
  type PDFRef,
  PDFStream,
  PDFString,
  type PDFWidgetAnnotation,
  pdfDocEncodingDecode,
} from 'pdf-lib';
import { bytesOf } from './held-text.ts';
import { parseBoolean } from '../../../shared/rules/forms/boolean-words.ts';

/** Checkboxes and radio buttons: fields whose widgets are on or off. */
export type StateField = PDFCheckBox | PDFRadioGroup;

/** One widget of a checkbox or radio group, and its text while it is on. */
export interface BoxState {
  readonly widget: PDFWidgetAnnotation;
  readonly on: PDFName;
  /** Name of the off-state: `Off`, or the form's own name if it does not use `Off`. */
  readonly off: PDFName;
  /** Text of `/Opt`, or otherwise the name of the on-state. */
  readonly text: string;
}

const OFF = PDFName.of('Off');
const VALUE = PDFName.of('V');
const OPTIONS = PDFName.of('Opt');
const PICTURES = PDFName.of('AP');
const NORMAL = PDFName.of('N');
const BOX = PDFName.of('BBox');
const PRESSED = PDFName.of('D');

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function isStateField(field: PDFField): field is StateField {
  return field instanceof PDFCheckBox || field instanceof PDFRadioGroup;
}

/** Decodes a name: as UTF-8 (PDF 1.7, 7.3.5), or as older programs wrote it. */
function nameText(name: PDFName): string {
  const bytes = name.asBytes();
  try {
    return utf8.decode(bytes).normalize('NFC');
  } catch {
    return pdfDocEncodingDecode(bytes);
  }
}

/**
 * Returns the states of a field in the order of its widgets. Two widgets with the same text but
 * different on-states are numbered, "Ja (1)" and "Ja (3)", since only one of them can be on.
 */
export function statesOf(field: StateField): readonly BoxState[] {
  const widgets = field.acroField.getWidgets();
  const listed = field.acroField.dict.lookup(OPTIONS);
  const isRadio = field instanceof PDFRadioGroup;
  const states = widgets.map((widget, at): BoxState => {
    const option = optionAt(listed, at);
    const isNumbered = option !== null || (isRadio && widgets.length > 1);
    const { on, off } = namesOf(widget, isNumbered ? String(at) : 'Yes');
    return { widget, on, off, text: option ?? nameText(on) };
  });
  const named = new Map<string, Set<PDFName>>();
  for (const { text, on } of states) named.set(text, (named.get(text) ?? new Set()).add(on));
  return states.map((state, at) =>
    (named.get(state.text)?.size ?? 0) > 1
      ? { ...state, text: `${state.text} (${String(at + 1)})` }
      : state,
  );
}

/** Returns the distinct texts of the field's states. */
export function stateTexts(field: StateField): readonly string[] {
  return [...new Set(statesOf(field).map(({ text }) => text))];
}

/**
 * Returns the text of the widget that viewers show as on; null if none is on. A widget with
 * appearances is on by its own state.
 */
export function shownStateOf(field: StateField): string | null {
  const value = field.acroField.getValue();
  const shown = statesOf(field).find(({ widget, on }) => {
    const state = hasStates(widget) ? (widget.getAppearanceState() ?? OFF) : value;
    return state === on;
  });
  return shown?.text ?? null;
}

/** Turns on the widgets with this text and all others off; null turns all off. */
export function setState(field: StateField, text: string | null): void {
  const states = statesOf(field);
  const chosen = states.find((state) => state.text === text)?.on ?? states[0]?.off ?? OFF;
  field.acroField.dict.set(VALUE, chosen);
  for (const { widget, on, off, text: own } of states) {
    widget.setAppearanceState(own === text && on === chosen ? on : off);
  }
}

/** Sets states from the field's value: for widgets without appearances, or for all if `isAsked`. */
export function updateShownState(field: StateField, isAsked: boolean): void {
  const value = field.acroField.getValue();
  for (const { widget, on, off } of statesOf(field)) {
    if (isAsked || !hasStates(widget)) widget.setAppearanceState(on === value ? on : off);
  }
}

/** Draws missing appearances: of a widget's on-state, or of its current state. */
export function drawMissingStates(field: StateField): void {
  drawOnStates(field);
  if (field.needsAppearancesUpdate()) field.updateAppearances();
}

function drawOnStates(field: StateField): void {
  for (const { widget, on } of statesOf(field)) {
    const normal = widget.AP()?.lookup(NORMAL);
    if (normal instanceof PDFStream) continue;
    if (normal instanceof PDFDict && isPicture(normal.lookup(on))) continue;
    const drawn =
      field instanceof PDFCheckBox
        ? normalizeAppearance(defaultCheckBoxAppearanceProvider(field, widget))
        : normalizeAppearance(defaultRadioGroupAppearanceProvider(field, widget));
    const { on: ticked, off } = drawn.normal;
    const { context } = widget.dict;
    const states = normal instanceof PDFDict ? normal.clone(context) : context.obj({});
    states.set(on, pictureOf(widget, ticked));
    if (!isPicture(states.lookup(OFF)) && off !== undefined) {
      states.set(OFF, pictureOf(widget, off));
    }
    const pictures = widget.AP()?.clone(context) ?? context.obj({});
    pictures.set(NORMAL, states);
    widget.dict.set(PICTURES, pictures);
  }
}

/**
 * Whether a value is an appearance that viewers show; they show nothing without a BBox (PDF 1.7,
 * 8.10.2).
 */
function isPicture(value: unknown): boolean {
  return value instanceof PDFStream && value.dict.lookup(BOX) instanceof PDFArray;
}

function pictureOf(widget: PDFWidgetAnnotation, operators: PDFOperator[]): PDFRef {
  const { width, height } = widget.getRectangle();
  const { context } = widget.dict;
  const picture = context.formXObject(operators, {
    BBox: context.obj([0, 0, Math.abs(width), Math.abs(height)]),
    Matrix: context.obj([1, 0, 0, 1, 0, 0]),
  });
  return context.register(picture);
}

function hasStates(widget: PDFWidgetAnnotation): boolean {
  return widget.AP()?.lookup(NORMAL) instanceof PDFDict;
}

function optionAt(listed: unknown, at: number): string | null {
  const option = listed instanceof PDFArray ? listed.lookup(at) : listed;
  if (!(listed instanceof PDFArray) && at > 0) return null;
  if (!(option instanceof PDFString || option instanceof PDFHexString)) return null;
  const text = option.decodeText().normalize('NFC');
  return text === '' ? null : text;
}

/**
 * Returns the names of a widget's states. They are read from its appearances, also from those of a
 * pressed button; otherwise from the current state, or the usual names are used. If a form does not
 * use the name `Off`, one of two names means off: `off`, `0` or `No`.
 */
function namesOf(widget: PDFWidgetAnnotation, usual: string): { on: PDFName; off: PDFName } {
  for (const kind of [NORMAL, PRESSED]) {
    const states = widget.AP()?.lookup(kind);
    if (!(states instanceof PDFDict)) continue;
    const held = states.keys();
    const called = held.includes(OFF) ? OFF : held.find(isNamedOff);
    const others = held.filter((name) => name !== called);
    const [no, ...more] = others.filter((name) => parseBoolean(nameText(name)) === false);
    const isPair = called === undefined && others.length === 2 && more.length === 0;
    const on =
      isPair && no === undefined
        ? tickedState(states, others)
        : others.find((name) => !isPair || name !== no);
    const off = called ?? (isPair ? no : undefined) ?? OFF;
    if (on !== undefined) return { on, off };
  }
  const state = widget.getAppearanceState();
  const isOn = state !== undefined && !isNamedOff(state);
  return { on: isOn ? state : PDFName.of(usual), off: OFF };
}

/**
 * Returns the on-state of two states: the one named by a word for yes. Without such a word, it is
 * the state that draws more: a ticked box is drawn as the empty box plus a mark.
 */
function tickedState(states: PDFDict, names: readonly PDFName[]): PDFName | undefined {
  const yes = names.filter((name) => parseBoolean(nameText(name)) === true);
  if (yes.length === 1) return yes[0];
  const drawn = (name: PDFName): number => {
    const picture = states.lookup(name);
    return picture instanceof PDFRawStream ? (bytesOf(picture)?.length ?? 0) : 0;
  };
  return names.toSorted((a, b) => drawn(b) - drawn(a))[0];
}

const isNamedOff = (name: PDFName): boolean => nameText(name).toLowerCase() === 'off';
