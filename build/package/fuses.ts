import path from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';

/**
 * Every option that is set in Electron's program itself, where nobody can set it otherwise later.
 * An Electron that has another one cannot be packaged before it stands here.
 */
export const fuses: Readonly<Record<FuseV1Options, boolean>> = {
  // It is no Node for other people's scripts, and takes no options or debugger of Node's.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // The session is in memory and holds no cookies. With the fuse on, Electron would ask the credential store
  // for a key at each start, before a person was told why (system_network_context_manager.cc).
  [FuseV1Options.EnableCookieEncryption]: false,
  // What it runs is the archive beside it, as it was packaged.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // No page of ours is a file.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // WebAssembly traps what it may not touch by the processor, not by checks: Electron's default.
  [FuseV1Options.WasmTrapHandlers]: true,
};

/** What electron-builder says of a program that it has laid out. */
interface Packed {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
  readonly packager: {
    readonly appInfo: { readonly productFilename: string };
    /** On Linux. */
    readonly executableName?: string;
  };
}

/**
 * Called by electron-builder before anything is signed. Its own way to set them knows one less, and
 * does not ask for all.
 */
export async function afterPack({ appOutDir, electronPlatformName, packager }: Packed) {
  const product = packager.appInfo.productFilename;
  const names: Readonly<Record<string, string | undefined>> = {
    darwin: `${product}.app`,
    win32: `${product}.exe`,
    linux: packager.executableName,
  };
  const name = names[electronPlatformName];
  if (name === undefined) throw new Error(`No program is known for ${electronPlatformName}`);
  await flipFuses(path.join(appOutDir, name), {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    // A Mac runs no program whose signature is broken; a real one is put over this, where there is one.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin' && process.platform === 'darwin',
    ...fuses,
  });
}
