/** Packages that stay outside the bundle because they load a compiled `.node` file. */
export const natives: string[] = ['better-sqlite3', 'keytar'];

/** An operating system and a processor, named as `process` names them. */
export interface Target {
  readonly platform: string;
  readonly arch: string;
}

/** Folders and files of `node_modules` that the packaged program needs on `target`. */
export function nativeFiles(target: Target): string[] {
  const { platform, arch } = target;
  return [
    'better-sqlite3/package.json',
    'better-sqlite3/LICENSE',
    'better-sqlite3/lib',
    `better-sqlite3/prebuilds/${platform}-${arch}.node`,
    'keytar',
    `@napi-rs/keyring-${platform}-${arch}${KEYRING_ABI[platform] ?? ''}`,
  ];
}

/** The C library in the name of a keyring package: packages are made for glibc, not for musl. */
const KEYRING_ABI: Readonly<Record<string, string>> = { linux: '-gnu', win32: '-msvc' };
