declare module 'subset-font' {
  /** Gives the font with the letters of `text` only; letters it lacks are left out. */
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
