/* The guide as compiled from Markdown at build time (build/guide/read.ts): a tree that the Help
   screen draws. The window itself parses no Markdown and no HTML. */

type InlineValues = Readonly<Record<string, string>>;

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'emphasis'; readonly inside: readonly Inline[] }
  /** Text that the user types: a command, an address. */
  | { readonly kind: 'code'; readonly text: string }
  /** A name in the window by its message key, so that guide and window always use the same name. */
  | { readonly kind: 'name'; readonly key: string; readonly values: InlineValues }
  /** Shortcut in the syntax of tinykeys. */
  | { readonly kind: 'keys'; readonly keys: string }
  /** Link to a page of the guide and a heading; an empty anchor is the top of the page. */
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
  | { readonly kind: 'note'; readonly inside: readonly Block[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'picture'; readonly file: string; readonly words: readonly Inline[] }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

export interface GuidePage {
  /** Name of the page's file, which is the same in every language. */
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Size in CSS pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** The guide in one language, with its pages in reading order. */
export interface GuideText {
  readonly pages: readonly GuidePage[];
  /** Size of each picture, so that nothing moves when it loads. */
  readonly sizes: Readonly<Record<string, Size>>;
}
