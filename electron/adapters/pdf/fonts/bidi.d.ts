/** The package's own types are of its other form, which is no module of today's. */
declare module 'bidi-js/dist/bidi.mjs' {
  interface Bidi {
    getEmbeddingLevels(
      text: string,
      direction: 'ltr' | 'rtl' | 'auto',
    ): {
      readonly levels: Uint8Array;
      readonly paragraphs: readonly { readonly level: number }[];
    };
    getMirroredCharacter(letter: string): string | null;
  }
  // oxlint-disable-next-line desk/no-restricted-syntax -- the package exports it so
  export default function bidiFactory(): Bidi;
}
