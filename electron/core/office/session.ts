import type { OfficeMembership } from '../../../shared/contract/office/office.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock, Stores, Vault } from '../ports.ts';
import { confirmReach, OFFICE_REACH_ID, whyUnconfirmed } from '../unconfirmed.ts';
import type { JoinedOffice, Member, Offices, OpenOffice } from './ports.ts';
import type { FormerDesk } from '../mark-ports.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Name under which the credential store has the password and keys of the user. */
const OFFICE_SECRET_NAME = 'office';
const VISIT_EVERY_MS = MINUTE;
/** Maximum time (ms) that the program waits for the sending of reports when it ends. */
const CLOSING_GRACE_MS = 3000;

export interface OfficeSessionPorts {
  readonly stores: Pick<Stores, 'office' | 'settings'>;
  readonly vault: Vault;
  /** Loads the database client, which is not needed outside of an office. */
  readonly offices: () => Promise<Offices>;
  readonly version: string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
  /**
   * Resolves once the program knows whether its data was restored or copied. Copied data gets a new
   * computer ID before the program contacts the office. Rejects with 'vault' or 'storage' if the
   * program cannot determine whether its data was restored or copied.
   */
  readonly trusted: () => Promise<void>;
  /** Sends missing reports; called after each new connection to the office. */
  readonly reached: (office: OpenOffice) => Promise<void>;
}

interface OpenedOffice {
  membership: OfficeMembership;
  readonly office: Promise<OpenOffice>;
}

/**
 * Session of this computer in its office. The first request opens the session; after a failure, the
 * next request opens it again.
 */
export class OfficeSession {
  readonly #ports: OfficeSessionPorts;
  #opened: OpenedOffice | null = null;
  #callOff: () => void = () => undefined;
  #hasEnded = false;

  constructor(ports: OfficeSessionPorts) {
    this.#ports = ports;
  }

  /**
   * Returns the open office; null if this computer is in no office. Rejects with 'offline' if the
   * office is unreachable, with 'vault' if the keys cannot be read, and with 'newer-data' if the
   * office is newer than this program. Rejects with 'storage' and 'state-folder' if the program
   * cannot determine whether its data was copied.
   */
  open(): Promise<OpenOffice> | null {
    const membership = this.#ports.stores.office.membership();
    // Work that is still running when the program ends opens no new connection and claims nothing.
    if (membership !== null && this.#hasEnded) return Promise.reject(programClosingError());
    if (membership === null) {
      this.#forget();
      return null;
    }
    const unconfirmed = officeUnconfirmed(this.#ports.stores);
    if (unconfirmed !== null) {
      this.#forget();
      return Promise.reject(unconfirmed);
    }
    if (this.#opened === null || !isSame(this.#opened.membership, membership)) {
      this.#forget();
      this.#begin(membership);
    }
    return this.#opened?.office ?? null;
  }

  /** Like `open`, but returns only the part of the office that sending needs. */
  joined(): Promise<JoinedOffice> | null {
    const opening = this.open();
    if (opening === null) return null;
    const joined = opening.then((office) => office.joined);
    // Some callers only check for null and ignore the promise, so its rejection is handled.
    joined.catch(() => undefined);
    return joined;
  }

  /**
   * Returns the open office. Throws 'not-found' with 'no-office' if this computer is in no office.
   */
  async require(): Promise<OpenOffice> {
    const office = await this.open();
    if (office !== null) return office;
    throw new AppError('not-found', 'This computer is not in an office', { reason: 'no-office' });
  }

  async enter({ membership, secret }: Member): Promise<void> {
    const { stores, vault, emit } = this.#ports;
    // The keys are stored first, because a membership without keys would block every send.
    await vault.write(OFFICE_SECRET_NAME, secret);
    stores.office.join(membership);
    confirmReach(stores, OFFICE_REACH_ID);
    emit('office.changed', {});
  }

  /** Leaves the office. `alongside` writes in the same commit. */
  async leave(alongside: () => void): Promise<void> {
    const { stores, vault, emit } = this.#ports;
    stores.office.leave(alongside);
    confirmReach(stores, OFFICE_REACH_ID);
    this.#forget();
    await vault.remove(OFFICE_SECRET_NAME);
    emit('office.changed', {});
  }

  /**
   * Starts visiting the office every minute. Each visit records that this computer is active, and
   * then calls `visited`.
   */
  begin(visited: (office: OpenOffice) => Promise<void>): void {
    const { clock, toFailure } = this.#ports;
    const visit = async (): Promise<void> => {
      const office = await this.open();
      if (office === null) return;
      await this.#keep(await office.visit());
      await visited(office);
    };
    const again = (): void => {
      this.#callOff = clock.after(VISIT_EVERY_MS, again);
      visit().catch((error: unknown) => void toFailure(error, 'office.visit'));
    };
    again();
  }

  /**
   * Ends the session after `reported` has sent all reports, or after `CLOSING_GRACE_MS` at the
   * latest.
   */
  async end(reported: () => Promise<void>): Promise<void> {
    this.#callOff();
    if (this.#opened === null) {
      this.#hasEnded = true;
      return;
    }
    let callOff = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      callOff = this.#ports.clock.after(CLOSING_GRACE_MS, resolve);
    });
    await Promise.race([reported(), late]);
    callOff();
    this.#hasEnded = true;
    this.#forget();
  }

  #begin(membership: OfficeMembership): void {
    const begun = Promise.withResolvers<OpenOffice>();
    const opened: OpenedOffice = { membership, office: begun.promise };
    this.#opened = opened;
    this.#connect(opened).then(begun.resolve, begun.reject);
    opened.office.catch(() => {
      // The next call of `open` connects again.
      if (this.#opened === opened) this.#opened = null;
    });
  }

  async #connect(opened: OpenedOffice): Promise<OpenOffice> {
    const { stores, vault, offices, version, trusted, reached, toFailure } = this.#ports;
    await trusted();
    // If the data was copied, this computer has a new ID from now on.
    opened.membership = stores.office.membership() ?? opened.membership;
    const { membership } = opened;
    const secret = await vault.read(OFFICE_SECRET_NAME);
    if (secret === null) {
      const message =
        'The keys of the office are not on this computer. Join the office with an invitation';
      throw new AppError('vault', message, { reason: 'vault-entry-missing' });
    }
    const mark = {
      read: () => stores.office.mark(),
      reached: (to: number) => stores.office.reach(to),
      former: () => stores.office.former(),
      compared: (former: readonly FormerDesk[]) => stores.office.forgetFormer(former),
    };
    const office = await (await offices()).open({ membership, secret }, version, mark);
    await this.#keep(office.renewedSecret);
    // The office is reachable, even if the reports fail. The next visit sends them again.
    await reached(office).catch((error: unknown) => void toFailure(error, 'office.reached'));
    return office;
  }

  async #keep(secret: string | null): Promise<void> {
    if (secret !== null) await this.#ports.vault.write(OFFICE_SECRET_NAME, secret);
  }

  #forget(): void {
    const opened = this.#opened;
    this.#opened = null;
    opened?.office.then((office) => office.close()).catch(() => undefined);
  }
}

/**
 * Returns an error 'signed-out' with 'not-confirmed' while the user has not confirmed the office's
 * address; otherwise null.
 */
export function officeUnconfirmed(stores: Pick<Stores, 'office' | 'settings'>): AppError | null {
  const membership = stores.office.membership();
  if (membership === null) return null;
  return whyUnconfirmed(stores, OFFICE_REACH_ID, `The office at ${membership.address.host}`);
}

const programClosingError = (): AppError =>
  new AppError('offline', 'The program is closing', { reason: 'office-away' });

const isSame = (one: OfficeMembership, other: OfficeMembership): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
