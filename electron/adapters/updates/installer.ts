import { access, constants, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AppUpdater, BaseUpdater, UpdateInfo } from 'electron-updater';
import { AppError } from '../../../shared/errors.ts';
import type { SignedRelease, Updater } from '../../core/updates/ports.ts';
import type { TransportPorts } from '../rest/http/transport.ts';
import { download } from './download.ts';

/** What a host knows of an installation that updates itself. */
export interface Installation {
  /** Of the program that runs. */
  readonly version: string;
  /** `app-update.yml`, which electron-builder puts into the program: on Windows it names the publisher. */
  readonly configFile: string;
  /** Asks the person, outside of the page. */
  readonly confirm: (release: {
    version: string;
    address: string;
    /** Of the key that signed it. */
    fingerprint: string;
  }) => Promise<boolean>;
  /** Where downloads wait; nobody else may write there. */
  readonly folder: string;
}

export type Installer = Extract<Updater, { way: 'here' }> & {
  /** Installs what was prepared; to be called when the data is closed. A failure is logged. */
  install(): void;
};

/**
 * Installs by electron-updater: it keeps the download, has Windows and macOS verify who signed it,
 * and runs or replaces what the system needs. It asks no feed: the release was signed and read
 * before, and is downloaded by our own transport against the signed sum.
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
        throw new AppError('cancelled', 'You chose not to install it');
      }
      ready = null;
      const quitting = Promise.withResolvers<void>();
      const updater = await load(installation, quitting.resolve);
      updater.on('error', (error) => void ports.log.error(error, 'updates.install'));
      const broken = new Promise<never>((_, reject) => void updater.once('error', reject));
      broken.catch(() => undefined);
      try {
        await assertWritable();
        offer(updater, release, fetchBy(ports, report, signal));
        const found = await updater.checkForUpdates();
        if (found?.isUpdateAvailable !== true) {
          throw new AppError('conflict', `${release.version} cannot be installed over ${version}`);
        }
        await updater.downloadUpdate();
        signal.throwIfAborted();
        if ('install' in updater) {
          ready = updater;
        } else {
          // Squirrel takes it over now: a signature it refuses is reported while somebody looks.
          updater.quitAndInstall();
          await Promise.race([quitting.promise, broken]);
        }
      } catch (error) {
        await clean().catch(() => undefined);
        throw explain(error);
      }
    },
    withdraw() {
      ready = null;
      void clean().catch(() => undefined);
    },
    install() {
      // On Linux the file of the program is replaced; on Windows its installer starts, unseen.
      ready?.install(true, false);
    },
  };
}

async function load({ version, configFile, folder }: Installation, quit: () => void) {
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
    // When the program ends is known to the host, which closes the data first.
    onQuit: () => undefined,
  };
  switch (process.platform) {
    case 'win32': {
      const { NsisUpdater } = await import('electron-updater/out/NsisUpdater.js');
      return configured(new NsisUpdater(null, app));
    }
    case 'darwin': {
      const { MacUpdater } = await import('electron-updater/out/MacUpdater.js');
      return configured(new MacUpdater(undefined, app));
    }
    default: {
      const { AppImageUpdater } = await import('electron-updater/out/AppImageUpdater.js');
      return configured(new AppImageUpdater(null, app));
    }
  }
}

/** An AppImage is replaced where it lies; better said now than found when the program is closed. */
async function assertWritable(): Promise<void> {
  const file = process.env['APPIMAGE'];
  if (file !== undefined) await access(path.dirname(file), constants.W_OK);
}

function configured<Kind extends AppUpdater>(updater: Kind): Kind {
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.autoRunAppAfterInstall = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  return updater;
}

type Fetch = (
  url: URL,
  file: string,
  options: { readonly sha512?: string | null },
) => Promise<void>;

/** Gives electron-updater the release, and a way to fetch its file. */
function offer(updater: AppUpdater, release: SignedRelease, fetch: Fetch): void {
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
  ): Fetch =>
  (url, file, { sha512 }) =>
    download(ports, file, {
      url,
      sha512: sha512 ?? '',
      signal,
      report,
    });

/** What electron-updater and the system say, as what a person can do something about. */
function explain(error: unknown): unknown {
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
