import path from 'node:path';
import type { TransportPorts } from '../adapters/rest/http/transport.ts';
import { createLogFiles } from '../adapters/system/log-files.ts';
import { createLog } from '../adapters/system/log.ts';
import { originOf, systemChance, systemClock } from '../adapters/system/platform.ts';
import {
  createBrowserRoutes,
  createSystemRoutes,
  type FindSystemRoutes,
} from '../adapters/network/system-ways.ts';
import { describeAuthorities } from '../adapters/network/authorities.ts';
import { createFiles } from '../adapters/files/files.ts';
import { fingerprintOf } from '../adapters/updates/key.ts';
import { createInstaller, type Installation } from '../adapters/updates/installer.ts';
import { examine } from './doctor.ts';
import { DataOpener, type DataSetup } from './data-opener.ts';
import { composeRestore } from './restore.ts';
import { AccessGate } from '../core/access.ts';
import { createToFailure } from '../core/app-error.ts';
import { createByteExchange } from '../core/bytes/exchange.ts';
import type { ServeBytes } from '../core/serve-bytes.ts';
import { createHandlers } from '../core/handlers.ts';
import { createHostHandlers } from '../core/host.ts';
import { Arrivals, type StartupItem } from '../core/links/arrivals.ts';
import type { HostFeatures } from '../core/host-ports.ts';
import type { Network } from '../core/network/ports.ts';
import { OutsideQuestions } from '../core/outside.ts';
import { PathBounds } from '../core/path-bounds.ts';
import type { Chance, Clock } from '../core/ports.ts';
import type { Updater } from '../core/updates/ports.ts';
import type { UpdateMethod } from '../../shared/contract/updates.ts';
import type { Access } from '../../shared/contract/access.ts';
import type { DoctorCheck, HostFeatureFlags, HostDescription } from '../../shared/contract/host.ts';
import type { BytesId } from '../../shared/model/ids.ts';
import { AppError } from '../../shared/errors.ts';
import type { Emit, Handlers } from '../../shared/contract/index.ts';
import type { ToFailure } from '../../shared/wire.ts';

export interface HostSetup
  extends DataSetup, Pick<HostDescription, 'version' | 'platform' | 'documentsFolder'> {
  readonly features: HostFeatures & { readonly describe: HostFeatureFlags };
  /** Returns the checks of its computer that only the host can make. */
  readonly examineHost?: () => readonly DoctorCheck[];
  /** How this installation is updated; default: a source checkout. */
  readonly updates?: UpdateSetup;
  /** Environment variables with `HTTPS_PROXY` and others; default: those of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Chromium's proxy for an address, as `PROXY host:port; DIRECT`, if the host has Chromium. */
  readonly resolveProxy?: (url: string) => Promise<string>;
}

/**
 * How the program is updated. An installation that updates itself supplies the parts that this
 * needs.
 */
export type UpdateSetup =
  | { readonly way: Exclude<UpdateMethod, 'here'> }
  | ({ readonly way: 'here' } & Pick<Installation, 'configFile' | 'confirm'>);

export interface Desk {
  readonly handlers: Handlers;
  readonly toFailure: ToFailure;
  /** Content of `/bytes/` on the private origin; null for everything else. */
  readonly serveBytes: ServeBytes;
  /** Stores bytes for a later call; throws 'invalid' if they are too large. */
  acceptBytes(data: Uint8Array): BytesId;
  /** Passes a link or a file that the system asked this program to open. */
  arrive(given: StartupItem): void;
  setEmit(emit: Emit): void;
  /** Opens the data; the result includes the reason if it stays closed. */
  open(): Promise<Access>;
  /** Whether data was ever stored in this profile, open or not. */
  hasData(profile: Access['profile']): boolean;
  /**
   * Called when the computer is about to sleep, and when it woke up. Nothing is sent until a
   * connection responds again.
   */
  sleepSoon(): void;
  wokeUp(): void;
  /** Ends all work, requests in flight within seconds, and closes the data. */
  close(): Promise<void>;
  /**
   * Installs the version that the user accepted, if there is one; call it after `close`. Does
   * nothing while a command has the data open: the version is then offered again at the next start.
   */
  installUpdate(): void;
}

/** Builds the program. `ports` are for tests, which control time and randomness. */
export function createDesk(
  setup: HostSetup,
  ports: { readonly clock?: Clock; readonly chance?: Chance } = {},
): Desk {
  const { clock = systemClock, chance = systemChance } = ports;
  const log = createLog(setup.dataDir, clock);
  const toFailure = createToFailure(log);
  const bytes = createByteExchange(clock, chance);
  let listener: Emit = () => {};
  const emit: Emit = (name, data) => listener(name, data);
  const network = networkOf(() => door.opened?.network ?? null);
  const { updater, installUpdate } = createUpdater(setup, { clock, chance, log, network });
  const door: DataOpener = new DataOpener(setup, {
    systemWays: systemRoutesOf(setup),
    clock,
    chance,
    log,
    logFiles: createLogFiles(setup.dataDir),
    bytes,
    emit,
    toFailure,
    origin: originOf(setup.version),
    updater,
    version: setup.version,
  });
  const gate = new AccessGate({ door, emit, toFailure });
  const files = createFiles();
  const origin = originOf(setup.version);
  const restoring = composeRestore(setup, { clock, chance, files, origin, emit, door, gate });
  const arrivals = new Arrivals({ bytes, emit });
  const stores = () => door.opened?.stores ?? null;
  const bounds = new PathBounds({
    files,
    stores,
    documentsFolder: setup.documentsFolder,
    canChoose: setup.features.describe.chooseFolder,
  });
  const outside = createOutsideQuestions(setup, door, files);
  const host = createHostHandlers({
    files,
    stores,
    features: setup.features,
    description: () => describeHost(setup),
    onChosen: (folder) => bounds.choose(folder),
    doctor: () => examine({ examineHost: () => [], ...setup }, door, clock),
    access: () => gate.handlers['access.read']({}),
  });
  return {
    handlers: createHandlers(
      { ...host, ...gate.handlers, ...arrivals.handlers, ...restoring.handlers },
      () => door.opened?.desk.handlers ?? gate.refuse(),
      // Arguments of a command are not checked: its user may do everything the program may.
      setup.interactive
        ? async (name, input) => {
            await bounds.check(name, input);
            await outside.check(name, input);
          }
        : null,
    ),
    toFailure,
    serveBytes: async (asked) => door.opened?.desk.serveBytes(asked) ?? null,
    acceptBytes: (data) => bytes.put(data),
    arrive: (given) => arrivals.add(given),
    setEmit(next) {
      listener = next;
    },
    open: () => gate.open(),
    hasData: (profile) => door.hasData(profile),
    sleepSoon: () => door.opened?.desk.sleepSoon(),
    wokeUp: () => door.opened?.desk.wokeUp(),
    async close() {
      await restoring.close();
      await gate.close();
    },
    // Installers on Windows end every running program, also a command that is sending a batch.
    installUpdate: () => door.whileUnused(installUpdate),
  };
}

/** Creates the dialogs that the host shows to the user outside the page. */
function createOutsideQuestions(
  setup: HostSetup,
  door: DataOpener,
  files: ReturnType<typeof createFiles>,
): OutsideQuestions {
  return new OutsideQuestions({
    confirm: setup.features.confirm,
    stores: () => door.opened?.stores ?? null,
    network: () => door.opened?.networkSettings ?? null,
    offices: async () => (await import('../adapters/office/offices.ts')).offices,
    resolveLocal: files.resolveLocal,
    describeAuthorities,
    fingerprint: fingerprintOf,
    originOf: (url) => URL.parse(url.trim())?.origin ?? url,
  });
}

/** Returns the network of the data that is open at the time of each call. */
function networkOf(open: () => Network | null): Network {
  const opened = (): Network => {
    const found = open();
    if (found === null)
      throw new AppError('storage', 'The data on this computer is not open. Open it first');
    return found;
  };
  return {
    routesTo: async (url) => opened().routesTo(url),
    authorities: async () => opened().authorities(),
    withSystemAuthorities: async () => opened().withSystemAuthorities(),
  };
}

function systemRoutesOf({ variables = process.env, resolveProxy }: HostSetup): FindSystemRoutes {
  const bySystem = createSystemRoutes({ platform: process.platform, variables });
  return resolveProxy === undefined ? bySystem : createBrowserRoutes(resolveProxy, bySystem);
}

function createUpdater(
  { updates = { way: 'checkout' }, dataDir, version }: HostSetup,
  ports: TransportPorts,
): { readonly updater: Updater; readonly installUpdate: () => void } {
  if (updates.way !== 'here') return { updater: updates, installUpdate: () => undefined };
  const folder = path.join(dataDir, 'updates');
  const installer = createInstaller({ ...updates, version, folder }, ports);
  return { updater: installer, installUpdate: () => installer.install() };
}

function describeHost(setup: HostSetup): HostDescription {
  const { version, language = null, locale, platform, documentsFolder, features, dataDir } = setup;
  return {
    version,
    language,
    locale,
    platform,
    documentsFolder,
    features: features.describe,
    dataFolder: dataDir,
  };
}
