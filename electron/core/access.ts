import type { Access, VaultState, VaultStore } from '../../shared/contract/access.ts';
import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import { AppError, type ErrorReason, type Failure } from '../../shared/errors.ts';
import { Serial } from '../../shared/serial.ts';
import type { ToFailure } from '../../shared/wire.ts';

/** Which data to open, and with what. */
export type Opening =
  | { readonly with: 'host' }
  | { readonly with: 'passphrase'; readonly passphrase: string }
  | { readonly with: 'demo' };

/** Opens and closes the data; made where the adapters are known. */
export interface DataAccess {
  /** Throws 'vault', 'storage' or 'newer-data' with the reason, and leaves everything closed. */
  open(opening: Opening): Promise<void>;
  close(): Promise<void>;
  /** The store that protects, or would protect, what was opened last. */
  store(): VaultStore;
  isPassphraseSet(): Promise<boolean>;
  /** Whether data was ever kept in this profile, open or not. */
  hasData(profile: Access['profile']): boolean;
  /** Moves the own data, which is closed, into a folder that it gives. Throws 'storage'. */
  setAside(): Promise<string>;
}

/** Whoever waits, unlocks or installs something gets past every other one. */
const hopeless: readonly (ErrorReason | undefined)[] = [
  'vault-entry-missing',
  'vault-wrong-key',
  'vault-changed',
  'data-wrong-key',
  'data-damaged',
  'data-foreign',
];

const states: Readonly<Partial<Record<ErrorReason, VaultState>>> = {
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

const notYet: Failure = { code: 'vault', message: 'The data on this computer is not open yet' };

interface AccessPorts {
  readonly door: DataAccess;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/** Keeps the data closed until its key was had, and says why while it was not. */
export class AccessGate {
  readonly #ports: AccessPorts;
  #problem: Failure | null = notYet;
  #profile: Access['profile'] = 'own';
  /** What the problem is about: made-up data that does not open says nothing of the own. */
  #tried: Opening = { with: 'host' };
  /** How the own data was opened last: its vault holds a passphrase as long as this does. */
  #own: Opening = { with: 'host' };
  /** Two openings at once would both claim a new data folder. */
  readonly #turns = new Serial();

  constructor(ports: AccessPorts) {
    this.#ports = ports;
  }

  /** Opens the data as the host chose; what went wrong stands in the answer. */
  open(): Promise<Access> {
    return this.#inTurn({ with: 'host' });
  }

  /** Closes what is open, after an opening under way. */
  close(): Promise<void> {
    return this.#turns.run(async () => {
      this.#problem = notYet;
      await this.#ports.door.close();
    });
  }

  /**
   * Does something while nothing has the own data open. Afterwards what was open is open again, and
   * what was closed is closed; `isRenewed`: what it did is opened, if it went well.
   */
  whileClosed<Result>(work: () => Promise<Result>, isRenewed = false): Promise<Result> {
    return this.#turns.run(async () => {
      const before = this.#problem;
      const opening: Opening = this.#profile === 'demo' ? { with: 'demo' } : this.#own;
      this.#problem = notYet;
      await this.#ports.door.close();
      let next: Opening | null = before === null ? opening : null;
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

  /** Throws why the data is closed. */
  refuse(): never {
    throw AppError.from(this.#problem ?? notYet);
  }

  readonly handlers: HandlersOf<'access'> = {
    'access.read': () => this.#read(),
    'access.retry': () => this.#inTurn({ with: 'host' }),
    'access.usePassphrase': ({ passphrase }) => this.#inTurn({ with: 'passphrase', passphrase }),
    'access.openDemoProfile': () => this.#inTurn({ with: 'demo' }),
    'access.setAside': () => this.#setAside(),
  };

  /** A passphrase may be forgotten: only the person knows. */
  #setAside(): Promise<{ readonly folder: string }> {
    return this.#turns.run(async () => {
      const { door } = this.#ports;
      if (!(await this.#canSetAside())) {
        throw new AppError('conflict', 'The data can still be opened, so it was not set aside');
      }
      await door.close();
      const folder = await door.setAside();
      await this.#open({ with: 'host' });
      return { folder };
    });
  }

  async #canSetAside(): Promise<boolean> {
    const { door } = this.#ports;
    const problem = this.#problem === notYet ? null : this.#problem;
    if (problem === null || this.#tried.with === 'demo' || !door.hasData('own')) return false;
    if (hopeless.includes(problem.reason)) return true;
    // A newer version or another window is no matter of what the passphrase was.
    return problem.code === 'vault' && (await door.isPassphraseSet());
  }

  #inTurn(opening: Opening): Promise<Access> {
    return this.#turns.run(() => (this.#isThere(opening) ? this.#read() : this.#open(opening)));
  }

  #isThere(opening: Opening): boolean {
    return this.#problem === null && this.#profile === 'own' && opening.with === 'host';
  }

  async #open(opening: Opening): Promise<Access> {
    const { door, emit, toFailure } = this.#ports;
    try {
      this.#problem = notYet;
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
      problem: this.#problem === notYet ? null : this.#problem,
      canSetAside: await this.#canSetAside(),
    };
  }
}

function vaultState(problem: Failure | null): VaultState {
  const state = problem?.reason === undefined ? undefined : states[problem.reason];
  return state ?? 'ready';
}
