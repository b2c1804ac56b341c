/** Packages that stay outside the bundle because they load a compiled `.node` file. */
export const nativePackages: string[] = ['better-sqlite3', 'keytar'];

/**
 * Package that makes subsets of fonts. It finds its WebAssembly by its own path, so it cannot be
 * bundled.
 */
const FONT_CUTTER = 'subset-font';
/**
 * Package that shapes text. It also finds its WebAssembly by its own path, and is a dependency of
 * `FONT_CUTTER`.
 */
const FONT_SHAPER = 'harfbuzzjs';

/** Every package that the bundle imports but does not contain. */
export const unbundledPackages: string[] = [...nativePackages, FONT_CUTTER, FONT_SHAPER];

/**
 * Dependencies that packages list but that the program does not need: only the packages' own tools
 * use them.
 */
export const unneededPackages: string[] = [
  'supports-color',
  '@napi-rs/canvas',
  'pg-cloudflare',
  'pg-native',
];

/** An operating system and a processor, named as in `process.platform` and `process.arch`. */
export interface Target {
  readonly platform: string;
  readonly arch: string;
}

/** Package whose fonts the program reads when it fills a PDF or prints a statement. */
const FONT_PACKAGE = 'pdfjs-dist';

/** The packages that the packaged program finds in its `node_modules`. */
export const shippedPackages = [...unbundledPackages, FONT_PACKAGE];

/** Files of `FONT_CUTTER` that the program runs, and the packages and files that these import. */
const fontCutterFiles = [
  ...['index.js', 'package.json', 'LICENSE'].flatMap((file) => [
    `${FONT_CUTTER}/${file}`,
    `fontverter/${file}`,
  ]),
  ...['index.js', 'compress.js', 'decompress.js', 'build', 'package.json', 'LICENSE'].map(
    (file) => `wawoff2/${file}`,
  ),
  ...[FONT_SHAPER, 'woff2sfnt-sfnt2woff', 'pako', 'p-limit', 'yocto-queue'],
];

/** Returns the folders and files of `node_modules` that the packaged program needs on `target`. */
export function shippedFiles(target: Target): string[] {
  const { platform, arch } = target;
  return [
    'better-sqlite3/package.json',
    'better-sqlite3/LICENSE',
    'better-sqlite3/lib',
    `better-sqlite3/prebuilds/${platform}-${arch}.node`,
    'keytar',
    ...fontCutterFiles,
    `${FONT_PACKAGE}/package.json`,
    `${FONT_PACKAGE}/LICENSE`,
    `${FONT_PACKAGE}/standard_fonts/LICENSE_LIBERATION`,
    `${FONT_PACKAGE}/standard_fonts/LiberationSans-Regular.ttf`,
    `${FONT_PACKAGE}/standard_fonts/LiberationSans-Bold.ttf`,
    `@napi-rs/keyring-${platform}-${arch}${KEYRING_ABI[platform] ?? ''}`,
  ];
}

/**
 * End of the name of a keyring package, which names the C library: the packages for Linux are made
 * for glibc, not for musl.
 */
const KEYRING_ABI: Readonly<Record<string, string>> = { linux: '-gnu', win32: '-msvc' };
