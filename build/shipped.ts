/** Packages that stay outside the bundle because they load a compiled `.node` file. */
export const natives: string[] = ['better-sqlite3', 'keytar'];

/** An operating system and a processor, named as `process` names them. */
export interface Target {
  readonly platform: string;
  readonly arch: string;
}

/** A font that is read from its package when a PDF is filled. */
const FONT_PACKAGE = 'pdfjs-dist';

/** The packages that the packaged program finds in its `node_modules`. */
export const shippedPackages = [...natives, FONT_PACKAGE];

/** Folders and files of `node_modules` that the packaged program needs on `target`. */
export function shippedFiles(target: Target): string[] {
  const { platform, arch } = target;
  return [
    'better-sqlite3/package.json',
    'better-sqlite3/LICENSE',
    'better-sqlite3/lib',
    `better-sqlite3/prebuilds/${platform}-${arch}.node`,
    'keytar',
    `${FONT_PACKAGE}/package.json`,
    `${FONT_PACKAGE}/standard_fonts/LICENSE_LIBERATION`,
    `${FONT_PACKAGE}/standard_fonts/LiberationSans-Regular.ttf`,
    `@napi-rs/keyring-${platform}-${arch}${KEYRING_ABI[platform] ?? ''}`,
  ];
}

/** The C library in the name of a keyring package: packages are made for glibc, not for musl. */
const KEYRING_ABI: Readonly<Record<string, string>> = { linux: '-gnu', win32: '-msvc' };
