import path from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';

/**
 * Every option that is set inside Electron's program, where it cannot be changed later. An Electron
 * with another option cannot be packaged before the option is listed here.
 */
export const fuses: Readonly<Record<FuseV1Options, boolean>> = {
  // The program must not run other scripts as Node, or accept Node's options or debugger.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // The session is in memory and holds no cookies. With the fuse on, Electron would request a key
  // from the credential store at each start, before the user was told why
  // (system_network_context_manager.cc).
  [FuseV1Options.EnableCookieEncryption]: false,
  // The program runs only the archive next to it, as it was packaged.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // No page of ours is a file.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's default: the processor, not added checks, stops WebAssembly at forbidden memory.
  [FuseV1Options.WasmTrapHandlers]: true,
};

/** electron-builder's description of a program that it has laid out. */
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
 * electron-builder calls it before anything is signed. Its own way to set fuses knows one fuse
 * less, and does not require all of them.
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
    // macOS runs no program with a broken signature; a real signature, if there is one, replaces
    // this one.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin' && process.platform === 'darwin',
    ...fuses,
  });
}
