/** The package's own types are for its CommonJS build, not for this ES module. */
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
