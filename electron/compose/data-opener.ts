import path from 'node:path';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { setAside } from '../adapters/files/set-aside.ts';
import { makeFolderPrivate, type FolderPrivacy } from '../adapters/files/private-folder.ts';
import { createKeyFile, type ScryptCost } from '../adapters/vault/key-source.ts';
import {
  createVault,
  protectionOf,
  VAULT_FILES,
  type VaultChoice,
} from '../adapters/vault/vault.ts';
import type { Presence } from '../adapters/sqlite/open/presence.ts';
import { upgradeCopies } from '../adapters/sqlite/open/upgrade-copies.ts';
import { enterShared, enterExclusively, presenceIn } from './aside.ts';
import {
  setAsideName,
  type DataContext,
  databaseFile,
  dataFiles,
  openData,
  type OpenData,
} from './data.ts';
import type { RunningDemo } from './demo.ts';
import type { DataAccess, DataOpening } from '../core/access.ts';
import type { Vault } from '../core/ports.ts';
import type { Access, VaultStore } from '../../shared/contract/access.ts';
import type { Language } from '../../shared/model/languages.ts';
import { AppError } from '../../shared/errors.ts';

export interface DataSetup {
  readonly dataDir: string;
  /** Folder outside all data folders for this computer's notes about them; null if unknown. */
  readonly stateDir: string | null;
  /** Credential store, unless the user chooses a passphrase. */
  readonly vault: 'keychain' | { readonly keyfile: string };
  /** Language tag (BCP 47) from the user's system. */
  readonly locale: string;
  /** Language for this start only; replaces the one in the settings. */
  readonly language?: Language | null;
  /** A window sends and reads on a schedule; a command only carries out its task. */
  readonly interactive: boolean;
  /** Demo service that already runs; replaces the data folder's own. */
  readonly demo?: RunningDemo;
  /**
   * Cost of a passphrase guess, for tests that open it many times; default: the production value.
   */
  readonly passphraseCost?: ScryptCost;
  /** Cost of a guess at the recovery phrase, for tests: base-2 logarithm of scrypt's N. */
  readonly phraseWork?: number | undefined;
}

type SharedContext = Pick<
  DataContext,
  | 'clock'
  | 'chance'
  | 'log'
  | 'logFiles'
  | 'bytes'
  | 'emit'
  | 'toFailure'
  | 'origin'
  | 'updater'
  | 'version'
  | 'systemWays'
>;

/** Opens the user's data on this computer, or the demo profile. */
export class DataOpener implements DataAccess {
  readonly #setup: DataSetup;
  readonly #shared: SharedContext;
  #presence: Presence | null = null;
  opened: OpenData | null = null;
  vault: Vault;
  /** Profile of the data that is open, or was last open. */
  profile: Access['profile'] = 'own';
  /** Result of the privacy check of the user's data folder. */
  privacy: FolderPrivacy = { kind: 'private' };

  constructor(setup: DataSetup, shared: SharedContext) {
    this.#setup = setup;
    this.#shared = shared;
    this.vault = createVault(this.#hostChoice());
  }

  async open(opening: DataOpening): Promise<void> {
    const { demo, interactive, language = null, locale, phraseWork, stateDir } = this.#setup;
    const profile = opening.with === 'demo' ? 'demo' : 'own';
    const folder = this.#folder(profile);
    this.#presence = presenceIn(folder);
    await enterShared(this.#presence, folder);
    try {
      const privacy = await makeFolderPrivate(this.#setup.dataDir);
      // A folder whose permissions the first attempt tightened is private at the next attempt, but
      // is still reported.
      if (privacy.kind !== 'private') this.privacy = privacy;
      this.vault = createVault(await this.#choice(opening, folder));
      const { vault } = this;
      this.profile = profile;
      this.opened = await openData({
        ...this.#shared,
        vault,
        profile,
        folder,
        stateDir,
        demo,
        interactive,
        language,
        locale,
        phraseWork,
      });
    } catch (error) {
      this.#presence.leave();
      throw error;
    }
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = null;
    await opened?.close();
    this.#presence?.leave();
  }

  /** Runs the work unless any process, this one included, has the user's data open. */
  whileUnused(work: () => void): void {
    const presence = presenceIn(this.#setup.dataDir);
    if (!presence.enterAlone()) return;
    try {
      work();
    } finally {
      presence.leave();
    }
  }

  /** Whether data was ever stored in this profile, open or not. */
  hasData(profile: Access['profile']): boolean {
    const file = databaseFile(this.#folder(profile));
    // Only a write-ahead log is left if the data file was lost.
    return existsSync(file) || existsSync(`${file}-wal`);
  }

  async setAside(): Promise<string> {
    const { dataDir } = this.#setup;
    const copies = upgradeCopies(databaseFile(dataDir)).map(({ file }) => path.basename(file));
    const to = setAsideName(this.#shared.clock.now());
    const presence = presenceIn(dataDir);
    await enterExclusively(presence, dataDir);
    try {
      await setAside(dataDir, { to, names: [...dataFiles, ...copies, ...VAULT_FILES], next: null });
    } finally {
      presence.leave();
    }
    this.vault = createVault(this.#hostChoice());
    return path.join(dataDir, to);
  }

  store(): VaultStore {
    return this.vault.store;
  }

  /** Credential store of the user's own data: the last one that opened it, or the host's choice. */
  ownVault(): Vault {
    return this.profile === 'own' ? this.vault : createVault(this.#hostChoice());
  }

  async isPassphraseSet(): Promise<boolean> {
    try {
      return (await protectionOf(this.#setup.dataDir)) === 'passphrase';
    } catch {
      // Opening the data fails in the same way and reports it; an error thrown by this check would
      // hide that.
      return false;
    }
  }

  #folder(profile: Access['profile']): string {
    const { dataDir } = this.#setup;
    return profile === 'demo' ? path.join(dataDir, 'demo') : dataDir;
  }

  #hostChoice(): VaultChoice {
    const { vault, dataDir } = this.#setup;
    if (vault === 'keychain') return { store: 'keychain', dataDir };
    return { store: 'keyfile', path: vault.keyfile, dataDir };
  }

  async #choice(opening: DataOpening, folder: string): Promise<VaultChoice> {
    switch (opening.with) {
      case 'passphrase': {
        const cost = this.#setup.passphraseCost;
        return { store: 'passphrase', passphrase: opening.passphrase, cost, dataDir: folder };
      }
      case 'demo': {
        // The demo data is made up, so its key may be in the same folder, on computers without a
        // better location for keys.
        const keyFile = path.join(folder, 'demo.key');
        await mkdir(folder, { recursive: true, mode: 0o700 });
        if (!existsSync(keyFile)) await createKeyFile(keyFile);
        return { store: 'keyfile', path: keyFile, dataDir: folder };
      }
      case 'host':
        if (this.#setup.vault === 'keychain' && (await this.isPassphraseSet())) {
          const message =
            'The data is protected by a passphrase. Enter the passphrase to open the data';
          throw new AppError('vault', message, { reason: 'vault-locked' });
        }
        return this.#hostChoice();
    }
  }
}
