/*
 * The guide as it comes out of Markdown when the page is built (build/guide/read.ts): a tree that the
 * Help screen draws. The page reads no Markdown and no HTML.
 */

type Values = Readonly<Record<string, string>>;

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'emphasis'; readonly inside: readonly Inline[] }
  /** What a person types: a command, an address. */
  | { readonly kind: 'code'; readonly text: string }
  /** A name of the window by its message, so that it is said as the window says it. */
  | { readonly kind: 'name'; readonly key: string; readonly values: Values }
  /** Keys as tinykeys writes them. */
  | { readonly kind: 'keys'; readonly keys: string }
  /** To a page of the guide, and a heading of it; an empty anchor is its top. */
  | {
      readonly kind: 'link';
      readonly page: string;
      readonly anchor: string;
      readonly inside: readonly Inline[];
    };

export type Block =
  | {
      readonly kind: 'heading';
      readonly level: 2 | 3;
      readonly anchor: string;
      readonly text: string;
    }
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly Block[][] }
  /** What must not be overlooked. */
  | { readonly kind: 'note'; readonly inside: readonly Block[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'picture'; readonly file: string; readonly words: readonly Inline[] }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

export interface GuidePage {
  /** Of its file, the same in every language. */
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** In CSS pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** The guide in one language, its pages in the order of reading. */
export interface GuideText {
  readonly pages: readonly GuidePage[];
  /** Of each picture, so that nothing moves when it comes. */
  readonly sizes: Readonly<Record<string, Size>>;
}
