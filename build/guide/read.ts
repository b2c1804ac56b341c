import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Marked, type MarkedToken, type Token, type Tokens } from 'marked';
import type { Block, GuidePage, GuideText, Inline } from '../../renderer/features/help/text.ts';

type Size = GuideText['sizes'][string];

/** Name of the page that lists the others, in reading order. */
const CONTENTS_PAGE = 'contents';
const KEYS_PREFIX = 'keys ';
const BRACED_TEXT_PATTERN = /\{([^{}]*)\}/;
const NAMED_INLINE_PATTERN = /^\w+(?: \w+=\S+)*$/;
const PICTURES_PREFIX = '../pictures/';

/**
 * Reads the guide of one language; `folder` holds its Markdown files. Throws if it contains
 * Markdown that the page cannot draw.
 */
export async function readGuide(folder: string): Promise<GuideText> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  const pages = await Promise.all(
    names.map(async (file) =>
      readPage(path.basename(file, '.md'), await readFile(path.join(folder, file), 'utf8')),
    ),
  );
  const first = pages.find(({ name }) => name === CONTENTS_PAGE);
  if (first === undefined) throw new Error(`${folder} has no ${CONTENTS_PAGE}.md`);
  const order = [CONTENTS_PAGE, ...first.blocks.flatMap(linksIn).map(({ page }) => page)];
  const unlisted = pages.find(({ name }) => !order.includes(name));
  if (unlisted !== undefined)
    throw new Error(`${CONTENTS_PAGE}.md does not name ${unlisted.name}.md`);
  return {
    pages: pages.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
    sizes: await readSizes(path.join(folder, PICTURES_PREFIX)),
  };
}

async function readSizes(folder: string): Promise<Record<string, Size>> {
  const files = (await readdir(folder).catch((): string[] => [])).toSorted();
  const sizes = await Promise.all(
    files.map(async (file) => [file, sizeOf(await readFile(path.join(folder, file)))] as const),
  );
  return Object.fromEntries(sizes);
}

/**
 * Reads the size of a picture from the header of its WebP file: the simple form, or the extended
 * one (RFC 9649, 2.5 and 2.7).
 */
function sizeOf(webp: Buffer): Size {
  if (webp.toString('latin1', 12, 16) === 'VP8X') {
    return { width: webp.readUIntLE(24, 3) + 1, height: webp.readUIntLE(27, 3) + 1 };
  }
  return { width: webp.readUInt16LE(26) & 0x3fff, height: webp.readUInt16LE(28) & 0x3fff };
}

export function readPage(name: string, markdown: string): GuidePage {
  const anchors = new Set<string>();
  const blocks = readBlocks(new Marked().lexer(markdown), name, anchors);
  const [title, ...rest] = blocks;
  if (title?.kind !== 'heading' || anchors.size === 0 || !markdown.startsWith('# ')) {
    throw new Error(`${name}.md does not begin with its title`);
  }
  return { name, title: title.text, blocks: rest };
}

/** Returns every piece of text in a block, including nested pieces. */
export function inlinesOf(block: Block): readonly Inline[] {
  const top = ((): readonly Inline[] => {
    switch (block.kind) {
      case 'heading':
        return [{ kind: 'text', text: block.text }];
      case 'code':
        return [{ kind: 'code', text: block.text }];
      case 'paragraph':
        return block.inside;
      case 'picture':
        return block.words;
      case 'list':
        return block.items.flat().flatMap(inlinesOf);
      case 'note':
        return block.inside.flatMap(inlinesOf);
      case 'table':
        return [...block.head, ...block.rows.flat()].flat();
    }
  })();
  return top.flatMap(withNestedInlines);
}

const withNestedInlines = (inline: Inline): readonly Inline[] =>
  'inside' in inline ? [inline, ...inline.inside.flatMap(withNestedInlines)] : [inline];

export function linksIn(block: Block): readonly Extract<Inline, { kind: 'link' }>[] {
  return inlinesOf(block).filter((inline) => inline.kind === 'link');
}

/** Returns the anchor that GitHub gives a heading, so that links also work on GitHub. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function readBlocks(
  tokens: readonly Token[] | undefined,
  page: string,
  anchors: Set<string>,
): Block[] {
  return ownTokens(tokens).flatMap((token) => readBlock(token, page, anchors));
}

/**
 * Returns the tokens of Markdown itself. Only extensions of the Markdown reader could add other
 * tokens, and it has none.
 */
const ownTokens = (tokens: readonly Token[] = []): MarkedToken[] => tokens.filter(isMarkdownToken);
const isMarkdownToken = (token: Token): token is MarkedToken => token.type !== 'extension';

function readBlock(token: MarkedToken, page: string, anchors: Set<string>): Block[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'heading':
      return [readHeading(token, page, anchors)];
    case 'paragraph':
    case 'text':
      return [readParagraph(token, page)];
    case 'list': {
      const items = token.items.map((item) => readBlocks(item.tokens, page, anchors));
      return [{ kind: 'list', ordered: token.ordered, items }];
    }
    case 'blockquote':
      return [{ kind: 'note', inside: readBlocks(token.tokens, page, anchors) }];
    case 'code':
      return [{ kind: 'code', text: token.text }];
    case 'table': {
      const { header, rows } = token;
      const read = (cell: Tokens.TableCell): Inline[] => readInlines(cell.tokens, page);
      return [{ kind: 'table', head: header.map(read), rows: rows.map((row) => row.map(read)) }];
    }
    default:
      throw new Error(`${page}.md: nothing draws ${token.type}, ${token.raw.trim()}`);
  }
}

function readHeading({ depth, text }: Tokens.Heading, page: string, anchors: Set<string>): Block {
  if (depth > 3 || (depth === 1 && anchors.size > 0)) {
    throw new Error(`${page}.md: a page has one title, and headings of two levels: ${text}`);
  }
  // Names from the window may differ between languages, so an anchor must not contain them.
  if (/[{`*_[]/.test(text)) throw new Error(`${page}.md: a heading is plain text: ${text}`);
  const anchor = anchorOf(text);
  if (anchors.has(anchor)) throw new Error(`${page}.md has two headings ${text}`);
  anchors.add(anchor);
  return { kind: 'heading', level: depth === 3 ? 3 : 2, anchor, text };
}

function readParagraph({ tokens }: Tokens.Paragraph | Tokens.Text, page: string): Block {
  const [only, ...others] = ownTokens(tokens);
  if (only?.type !== 'image') return { kind: 'paragraph', inside: readInlines(tokens, page) };
  const { href, tokens: words } = only;
  if (others.length > 0 || !href.startsWith(PICTURES_PREFIX)) {
    throw new Error(
      `${page}.md: a picture must be alone in its paragraph, and in the folder ${PICTURES_PREFIX}: ${href}`,
    );
  }
  return {
    kind: 'picture',
    file: href.slice(PICTURES_PREFIX.length),
    words: readInlines(words, page),
  };
}

function readInlines(tokens: readonly Token[] | undefined, page: string): Inline[] {
  return ownTokens(tokens).flatMap((token): Inline[] => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return readText(token.text, page);
      case 'codespan':
        return [{ kind: 'code', text: token.text }];
      case 'em':
        return [{ kind: 'emphasis', inside: readInlines(token.tokens, page) }];
      case 'link':
        return [readLink(token.href, readInlines(token.tokens, page), page)];
      case 'strong':
        throw new Error(`${page}.md: bold is for names of the window, as {key}: ${token.raw}`);
      default:
        throw new Error(`${page}.md: nothing draws ${token.type}, ${token.raw}`);
    }
  });
}

function readLink(href: string, inside: readonly Inline[], page: string): Inline {
  const found = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(href);
  if (found === null) throw new Error(`${page}.md: no page of the guide: ${href}`);
  const [, to = page, anchor = ''] = found;
  return { kind: 'link', page: to, anchor: decodeURIComponent(anchor), inside };
}

/** Splits text into plain text and, in braces, names from the window or keys. */
function readText(text: string, page: string): Inline[] {
  return text
    .replaceAll('\n', ' ')
    .split(BRACED_TEXT_PATTERN)
    .map((part, at): Inline =>
      at % 2 === 0 ? { kind: 'text', text: part } : namedInline(part, page),
    )
    .filter((inline) => inline.kind !== 'text' || inline.text !== '');
}

function namedInline(words: string, page: string): Inline {
  if (words.startsWith(KEYS_PREFIX)) return { kind: 'keys', keys: words.slice(KEYS_PREFIX.length) };
  if (!NAMED_INLINE_PATTERN.test(words))
    throw new Error(`${page}.md: in braces stands a message: {${words}}`);
  const [key = '', ...values] = words.split(' ');
  return { kind: 'name', key, values: Object.fromEntries(values.map((one) => one.split('='))) };
}
