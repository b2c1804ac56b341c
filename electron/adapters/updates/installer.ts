import { access, constants, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AppUpdater, BaseUpdater, UpdateInfo } from 'electron-updater';
import { AppError } from '../../../shared/errors.ts';
import type { SignedRelease, Updater } from '../../core/updates/ports.ts';
import type { TransportPorts } from '../rest/http/transport.ts';
import { downloadRelease } from './download.ts';

/** Properties of a host whose program updates itself. */
export interface Installation {
  /** Version of the running program. */
  readonly version: string;
  /**
   * Path of `app-update.yml`, which electron-builder includes in the program. On Windows the file
   * names the publisher.
   */
  readonly configFile: string;
  /** Asks the user for confirmation, in a dialog outside the page. */
  readonly confirm: (release: {
    version: string;
    address: string;
    /** Fingerprint of the key that signed the release. */
    fingerprint: string;
  }) => Promise<boolean>;
  /** Folder for downloads; writable only for this user. */
  readonly folder: string;
}

export type Installer = Extract<Updater, { way: 'here' }> & {
  /**
   * Installs the prepared release. Must be called after the data is closed. A failure is logged.
   */
  install(): void;
};

/**
 * Installs releases with electron-updater. It keeps the download, lets Windows and macOS verify the
 * signature, and runs or replaces what the system requires. It reads no feed: this program has read
 * and verified the release before. This program's own transport downloads the file and checks it
 * against the signed hash.
 */
export function createInstaller(installation: Installation, ports: TransportPorts): Installer {
  const { folder, version, confirm } = installation;
  let ready: Pick<BaseUpdater, 'install'> | null = null;
  const isMac = process.platform === 'darwin';
  const clean = () => rm(folder, { recursive: true, force: true });

  return {
    way: 'here',
    canWithdraw: !isMac,
    async prepare(release, report, signal) {
      const { version: offered, address, fingerprint } = release;
      if (!(await confirm({ version: offered, address, fingerprint }))) {
        throw new AppError('cancelled', 'You chose not to install the update');
      }
      ready = null;
      const quitting = Promise.withResolvers<void>();
      const updater = await loadUpdater(installation, quitting.resolve);
      updater.on('error', (error) => void ports.log.error(error, 'updates.install'));
      const broken = new Promise<never>((_, reject) => void updater.once('error', reject));
      broken.catch(() => undefined);
      try {
        await assertWritable();
        offerRelease(updater, release, fetchBy(ports, report, signal));
        const found = await updater.checkForUpdates();
        if (found?.isUpdateAvailable !== true) {
          throw new AppError(
            'conflict',
            `Version ${release.version} cannot be installed over version ${version}`,
          );
        }
        await updater.downloadUpdate();
        signal.throwIfAborted();
        if ('install' in updater) {
          ready = updater;
        } else {
          // Squirrel starts now, while the user is present to see an error if Squirrel rejects the
          // signature.
          updater.quitAndInstall();
          await Promise.race([quitting.promise, broken]);
        }
      } catch (error) {
        await clean().catch(() => undefined);
        throw explainInstallError(error);
      }
    },
    withdraw() {
      ready = null;
      void clean().catch(() => undefined);
    },
    install() {
      // On Linux the program file is replaced; on Windows the installer runs silently.
      ready?.install(true, false);
    },
  };
}

async function loadUpdater({ version, configFile, folder }: Installation, quit: () => void) {
  const app = {
    version,
    name: 'signing-desk',
    isPackaged: true,
    appUpdateConfigPath: configFile,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit,
    // Only the host knows when the program ends; the host closes the data first.
    onQuit: () => undefined,
  };
  switch (process.platform) {
    case 'win32': {
      const { NsisUpdater } = await import('electron-updater/out/NsisUpdater.js');
      return configureUpdater(new NsisUpdater(null, app));
    }
    case 'darwin': {
      const { MacUpdater } = await import('electron-updater/out/MacUpdater.js');
      return configureUpdater(new MacUpdater(undefined, app));
    }
    default: {
      const { AppImageUpdater } = await import('electron-updater/out/AppImageUpdater.js');
      return configureUpdater(new AppImageUpdater(null, app));
    }
  }
}

/**
 * Rejects an AppImage whose folder is not writable, before the download instead of at the end of
 * the program. The update replaces the file in that folder.
 */
async function assertWritable(): Promise<void> {
  const file = process.env['APPIMAGE'];
  if (file !== undefined) await access(path.dirname(file), constants.W_OK);
}

function configureUpdater<Kind extends AppUpdater>(updater: Kind): Kind {
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.autoRunAppAfterInstall = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  return updater;
}

type FetchRelease = (
  url: URL,
  file: string,
  options: { readonly sha512?: string | null },
) => Promise<void>;

/** Gives electron-updater the release, and a function to download its file. */
function offerRelease(updater: AppUpdater, release: SignedRelease, fetch: FetchRelease): void {
  const files = release.files.map(({ url, sha512, size, isAdminRightsRequired = false }) =>
    Object.assign({ url, sha512, isAdminRightsRequired }, size === undefined ? {} : { size }),
  );
  const [first] = files;
  const info: UpdateInfo = {
    version: release.version,
    files,
    path: first?.url ?? '',
    sha512: first?.sha512 ?? '',
    releaseDate: '',
  };
  Object.assign(updater, { httpExecutor: { download: fetch } });
  updater.setFeedURL({
    provider: 'custom',
    updateProvider: class {
      readonly fileExtraDownloadHeaders = null;
      readonly isUseMultipleRangeRequest = false;
      setRequestHeaders(): void {}
      getLatestVersion = () => Promise.resolve(info);
      resolveFiles = () =>
        files.map((file) => ({ url: new URL(file.url, release.address), info: file }));
    },
  });
}

const fetchBy =
  (
    ports: TransportPorts,
    report: (bytes: number, total: number | null) => void,
    signal: AbortSignal,
  ): FetchRelease =>
  (url, file, { sha512 }) =>
    downloadRelease(ports, file, {
      url,
      sha512: sha512 ?? '',
      signal,
      report,
    });

/** Converts errors of electron-updater and the system to messages that help the user. */
function explainInstallError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ERR_UPDATER_INVALID_SIGNATURE':
      return new AppError(
        'service',
        'The download is not signed by the publisher of Signing Desk, so it was not installed',
        { reason: 'update-publisher' },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('storage', 'The disk is full', { reason: 'disk-full' });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AppError('storage', 'The folder of the program cannot be written to', {
        reason: 'folder-read-only',
      });
    default:
      return error;
  }
}
