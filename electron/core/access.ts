import type { Access, VaultState, VaultStore } from '../../shared/contract/access.ts';
import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import { AppError, type ErrorReason, type Failure } from '../../shared/errors.ts';
import { Serial } from '../../shared/serial.ts';
import type { ToFailure } from '../../shared/wire.ts';

/** Which data is opened, and how it is unlocked. */
export type DataOpening =
  | { readonly with: 'host' }
  | { readonly with: 'passphrase'; readonly passphrase: string }
  | { readonly with: 'demo' };

/** Opens and closes the data. Implemented by the part of the program that knows the adapters. */
export interface DataAccess {
  /**
   * Opens the data. Throws 'vault', 'storage' or 'newer-data' with the reason, and then leaves
   * everything closed.
   */
  open(opening: DataOpening): Promise<void>;
  close(): Promise<void>;
  /** The key store that protects, or would protect, the data that was opened last. */
  store(): VaultStore;
  isPassphraseSet(): Promise<boolean>;
  hasData(profile: Access['profile']): boolean;
  /**
   * Moves the user's own data, which must be closed, into a new folder; returns it. Throws
   * 'storage'.
   */
  setAside(): Promise<string>;
}

/** Reasons for closed data that cannot be resolved by waiting, unlocking or an installation. */
const UNRECOVERABLE_REASONS: readonly (ErrorReason | undefined)[] = [
  'vault-entry-missing',
  'vault-wrong-key',
  'vault-changed',
  'data-wrong-key',
  'data-damaged',
  'data-foreign',
];

const vaultStates: Readonly<Partial<Record<ErrorReason, VaultState>>> = {
  'vault-locked': 'locked',
  'vault-dismissed': 'dismissed',
  'vault-denied': 'denied',
  'vault-no-session': 'no-session',
  'vault-entry-missing': 'entry-missing',
  'vault-wrong-key': 'wrong-key',
  'data-wrong-key': 'wrong-key',
  'vault-changed': 'changed',
  'keyfile-mode': 'denied',
};

const dataNotOpenFailure: Failure = {
  code: 'vault',
  message: 'The data on this computer is not open yet',
};

interface AccessPorts {
  readonly door: DataAccess;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/** Keeps the data closed until its key is available, and reports the reason until then. */
export class AccessGate {
  readonly #ports: AccessPorts;
  #problem: Failure | null = dataNotOpenFailure;
  #profile: Access['profile'] = 'own';
  /**
   * The opening that caused `#problem`. If the demo data fails to open, this shows nothing about
   * the user's own data.
   */
  #tried: DataOpening = { with: 'host' };
  /**
   * How the user's own data was last opened. Its vault keeps the passphrase in memory for as long
   * as this field has it.
   */
  #own: DataOpening = { with: 'host' };
  /** Runs one opening at a time: two in parallel would both create a new data folder. */
  readonly #turns = new Serial();

  constructor(ports: AccessPorts) {
    this.#ports = ports;
  }

  /**
   * Opens the data in the way that the host is set up for. Returns a failure in the result instead
   * of throwing it.
   */
  open(): Promise<Access> {
    return this.#inTurn({ with: 'host' });
  }

  /** Closes the data, after any opening that is in progress. */
  close(): Promise<void> {
    return this.#turns.run(async () => {
      this.#problem = dataNotOpenFailure;
      await this.#ports.door.close();
    });
  }

  /**
   * Runs `work` while the own data is closed. Afterwards, data that was open is opened again, and
   * data that was closed stays closed. With `isRenewed`, the own data is opened after `work`
   * succeeds, even if it was closed.
   */
  whileClosed<Result>(work: () => Promise<Result>, isRenewed = false): Promise<Result> {
    return this.#turns.run(async () => {
      const before = this.#problem;
      const opening: DataOpening = this.#profile === 'demo' ? { with: 'demo' } : this.#own;
      this.#problem = dataNotOpenFailure;
      await this.#ports.door.close();
      let next: DataOpening | null = before === null ? opening : null;
      try {
        const result = await work();
        if (isRenewed) next = this.#own;
        return result;
      } finally {
        if (next === null) this.#problem = before;
        else await this.#open(next);
      }
    });
  }

  refuse(): never {
    throw AppError.from(this.#problem ?? dataNotOpenFailure);
  }

  readonly handlers: HandlersOf<'access'> = {
    'access.read': () => this.#read(),
    'access.retry': () => this.#inTurn({ with: 'host' }),
    'access.usePassphrase': ({ passphrase }) => this.#inTurn({ with: 'passphrase', passphrase }),
    'access.openDemoProfile': () => this.#inTurn({ with: 'demo' }),
    'access.setAside': () => this.#setAside(),
  };

  /**
   * Sets the data aside. This is allowed with a passphrase too: the program cannot know whether the
   * user has forgotten it.
   */
  #setAside(): Promise<{ readonly folder: string }> {
    return this.#turns.run(async () => {
      const { door } = this.#ports;
      if (!(await this.#canSetAside())) {
        throw new AppError('conflict', 'The data can still be opened, so it was not moved aside');
      }
      await door.close();
      const folder = await door.setAside();
      await this.#open({ with: 'host' });
      return { folder };
    });
  }

  async #canSetAside(): Promise<boolean> {
    const { door } = this.#ports;
    const problem = this.#problem === dataNotOpenFailure ? null : this.#problem;
    if (problem === null || this.#tried.with === 'demo' || !door.hasData('own')) return false;
    if (UNRECOVERABLE_REASONS.includes(problem.reason)) return true;
    // A passphrase cannot resolve a newer data version or data that another window holds open.
    return problem.code === 'vault' && (await door.isPassphraseSet());
  }

  #inTurn(opening: DataOpening): Promise<Access> {
    return this.#turns.run(() => (this.#isThere(opening) ? this.#read() : this.#open(opening)));
  }

  #isThere(opening: DataOpening): boolean {
    return this.#problem === null && this.#profile === 'own' && opening.with === 'host';
  }

  async #open(opening: DataOpening): Promise<Access> {
    const { door, emit, toFailure } = this.#ports;
    try {
      this.#problem = dataNotOpenFailure;
      this.#tried = opening;
      await door.close();
      await door.open(opening);
      this.#problem = null;
      this.#profile = opening.with === 'demo' ? 'demo' : 'own';
      if (opening.with !== 'demo') this.#own = opening;
    } catch (error) {
      this.#problem = toFailure(error, 'access.retry');
    }
    emit('access.changed', {});
    return this.#read();
  }

  async #read(): Promise<Access> {
    const { door } = this.#ports;
    return {
      open: this.#problem === null,
      profile: this.#profile,
      store: door.store(),
      vault: vaultState(this.#problem),
      hasData: door.hasData(this.#profile),
      passphraseSet: await door.isPassphraseSet(),
      problem: this.#problem === dataNotOpenFailure ? null : this.#problem,
      canSetAside: await this.#canSetAside(),
    };
  }
}

function vaultState(problem: Failure | null): VaultState {
  const state = problem?.reason === undefined ? undefined : vaultStates[problem.reason];
  return state ?? 'ready';
}
