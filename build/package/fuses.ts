import path from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';

/**
 * Values of Electron's fuses: options that are set inside Electron's program and cannot be changed
 * later. An Electron with a further fuse can be packaged only after the fuse is added to this
 * table.
 */
export const fuses: Readonly<Record<FuseV1Options, boolean>> = {
  // The program must not run other scripts as Node, or accept Node's options or debugger.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // The session is in memory and holds no cookies. With the fuse on, Electron would request a key
  // from the credential store at each start, before the window has shown the user the reason
  // (system_network_context_manager.cc).
  [FuseV1Options.EnableCookieEncryption]: false,
  // The program runs only the archive next to it, as it was packaged.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // None of our pages is loaded from a `file://` address.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's default: the processor stops WebAssembly at forbidden memory, without added checks.
  [FuseV1Options.WasmTrapHandlers]: true,
};

/** electron-builder's description of a program whose files it has put in a folder. */
interface PackedProgram {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
  readonly packager: {
    readonly appInfo: { readonly productFilename: string };
    /** File name of the program, only on Linux. */
    readonly executableName?: string;
  };
}

/**
 * Sets the fuses; electron-builder calls this before it signs anything. Electron-builder's own
 * settings lack one of the fuses, and do not require a value for each fuse.
 */
export async function afterPack({ appOutDir, electronPlatformName, packager }: PackedProgram) {
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
