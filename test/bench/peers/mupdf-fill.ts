import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** The used part of the npm package mupdf. */
interface Widget {
  getName(): string;
  isText(): boolean;
  isCheckbox(): boolean;
  isRadioButton(): boolean;
  getValue(): string;
  setTextValue(value: string): unknown;
  setChoiceValue(value: string): unknown;
  toggle(): unknown;
  update(): void;
  getObject(): {
    get(...path: string[]): { forEach(each: (value: unknown, key: string) => void): void };
  };
}
interface Document {
  countPages(): number;
  loadPage(at: number): { getWidgets(): Widget[]; destroy(): void };
  bake(): void;
  saveToBuffer(options: string): { asUint8Array(): Uint8Array; destroy(): void };
  destroy(): void;
}
interface Mupdf {
  readonly PDFDocument: { openDocument(data: Uint8Array, type: string): Document };
}

const [folder = '', form = ''] = process.argv.slice(2);
const mupdf = (await import(pathToFileURL(path.join(folder, 'dist/mupdf.js')).href)) as Mupdf;
const data = readFileSync(form);

/** Fills, flattens and saves the form with mupdf, as `pdf-peers.ts` requests it. */
const row = new Map<string, string>();
for await (const line of createInterface(process.stdin)) {
  const tab = line.indexOf('\t');
  if (tab >= 0) {
    row.set(line.slice(0, tab), line.slice(tab + 1));
    continue;
  }
  const start = performance.now();
  const left = fill();
  console.log(performance.now() - start, left);
  row.clear();
}

/** Fills the form. Returns the number of fields that did not accept their value. */
function fill(): number {
  const taken = new Set<string>();
  const document = mupdf.PDFDocument.openDocument(data, 'application/pdf');
  for (let at = 0; at < document.countPages(); at += 1) {
    const page = document.loadPage(at);
    for (const widget of page.getWidgets()) {
      const name = widget.getName();
      const value = row.get(name);
      if (value !== undefined && takes(widget, value)) taken.add(name);
    }
    page.destroy();
  }
  document.bake();
  const saved = document.saveToBuffer('');
  saved.asUint8Array();
  saved.destroy();
  document.destroy();
  return row.size - taken.size;
}

function takes(widget: Widget, value: string): boolean {
  if (widget.isCheckbox()) {
    if ((widget.getValue() !== 'Off') !== (value === 'true')) widget.toggle();
  } else if (widget.isRadioButton()) {
    if (!statesOf(widget).includes(value)) return false;
    if (widget.getValue() !== value) widget.toggle();
  } else if (widget.isText()) widget.setTextValue(value);
  else widget.setChoiceValue(value);
  widget.update();
  return true;
}

/** Names of the pictures of a button. */
function statesOf(widget: Widget): readonly string[] {
  const states: string[] = [];
  widget
    .getObject()
    .get('AP', 'N')
    .forEach((_, key) => states.push(key));
  return states;
}
