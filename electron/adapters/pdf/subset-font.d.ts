declare module 'subset-font' {
  /** Returns the font with only the characters of `text`; characters it lacks are skipped. */
  // oxlint-disable-next-line desk/no-restricted-syntax -- the package exports it so
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      readonly targetFormat: 'truetype';
      readonly noHinting?: boolean;
      readonly dropTables?: readonly string[];
    },
  ): Promise<Buffer>;
}
