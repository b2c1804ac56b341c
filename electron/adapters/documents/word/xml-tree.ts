import { SaxesParser } from 'saxes';
import { AppError } from '../../../../shared/errors.ts';
import { MAX_XML_DEPTH, MAX_PART_BYTES } from '../limits.ts';
import { DAMAGED_MESSAGE, documentError } from '../refuse.ts';

/** An element with its name as written in the file, including the prefix. */
export interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  children: XmlNode[];
}
export type XmlNode = Element | string;

export const isElement = (node: XmlNode): node is Element => typeof node !== 'string';

/** Parses a part of a document strictly. Throws 'document-damaged' or 'document-limit'. */
export function parseTree(bytes: Uint8Array): Element {
  if (bytes.length > MAX_PART_BYTES) {
    throw documentError(
      'document-limit',
      'The document contains too much text. Save it as a PDF in its own program',
    );
  }
  const roots: XmlNode[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser({ xmlns: false, position: false });
  const add = (node: XmlNode): void => void (open.at(-1)?.children ?? roots).push(node);
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [] };
    add(element);
    open.push(element);
    if (open.length > MAX_XML_DEPTH) {
      throw documentError(
        'document-limit',
        `The document has more than ${MAX_XML_DEPTH} levels of elements within elements. Save it as a PDF in its own program`,
      );
    }
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('doctype', () => {
    throw documentError(
      'document-damaged',
      'The document contains XML entities, which are not allowed. Save it as a PDF in its own program',
    );
  });
  try {
    parser.write(decodeXml(bytes));
    parser.close();
  } catch (cause) {
    throw cause instanceof AppError
      ? cause
      : documentError('document-damaged', DAMAGED_MESSAGE, cause);
  }
  const root = roots.find(isElement);
  if (root === undefined) throw documentError('document-damaged', DAMAGED_MESSAGE);
  return root;
}

function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
}

/** Returns the part as UTF-8 XML. */
export function printTree(root: Element): string {
  const pieces = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'];
  printNode(root, pieces);
  return pieces.join('');
}

function printNode(node: XmlNode, pieces: string[]): void {
  if (!isElement(node)) {
    pieces.push(escapeXml(node));
    return;
  }
  const { name, attributes, children } = node;
  pieces.push('<', name);
  for (const [key, value] of Object.entries(attributes)) {
    pieces.push(' ', key, '="', escapeXml(value), '"');
  }
  if (children.length === 0) {
    pieces.push('/>');
    return;
  }
  pieces.push('>');
  for (const child of children) printNode(child, pieces);
  pieces.push('</', name, '>');
}

/** Characters to escape, also line ends, which would be read as spaces in attributes. */
const ESCAPED_CHARACTERS = /[&<>"\t\n\r]/gu;
const escapeXml = (text: string): string =>
  text.replace(ESCAPED_CHARACTERS, (sign) => `&#${String(sign.charCodeAt(0))};`);

/** Returns every element of the tree, the root first. */
export function* elementsIn(root: Element): Generator<Element> {
  yield root;
  for (const child of root.children) if (isElement(child)) yield* elementsIn(child);
}

export function textIn(node: XmlNode): string {
  return isElement(node) ? node.children.map(textIn).join('') : node;
}
