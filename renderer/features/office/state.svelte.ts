import {
  type OfficeActivity,
  type OfficeMembership,
  type OfficeRestore,
  type OfficeUser,
  OfficeUserRight,
} from '../../../shared/contract/office/office.ts';
import type { Failure } from '../../../shared/errors.ts';
import { sentenceFor } from '../../ui/failure-words.ts';
import { m } from '../../ui/language.svelte.ts';
import { activity, type Words } from '../../window/activity.svelte.ts';
import { api, failureOf, on } from '../../window/desk.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { saveThrough } from '../../window/save-bytes.ts';

const DEFAULT_OFFICE_PORT = 5432;

class Office {
  readonly membership = new Loaded(() => api['office.read']({}));
  readonly seats = new Loaded(() => api['office.seats']({}));
  readonly checks = new Loaded(() => api['office.check']({}));
  readonly open = new Loaded(() => api['office.open']({}));
  readonly putBack = new Loaded(() => api['office.putBack']({}));
  readonly tasks = new Loaded(() => api['office.tasks']({}));
  /** Activity of the office's computers, newest first; only the entries read so far. */
  acts = $state.raw<readonly OfficeActivity[]>([]);
  hasOlder = $state(false);
  /** Whether this computer has just joined the office, so that the focus goes to its user. */
  isNew = $state(false);

  constructor() {
    on('office.changed', () => void this.begin());
  }

  /** Reads the office's data. Without an office, no further requests are sent. */
  async begin(): Promise<void> {
    await this.membership.refresh();
    if (this.membership.value === null) return;
    await Promise.all([
      ...[this.seats, this.checks, this.putBack, this.open, this.tasks].map((one) => one.refresh()),
      activity.attempt(() => this.#readActs(null), 'office.activity'),
    ]);
  }

  async older(): Promise<void> {
    await activity.attempt(() => this.#readActs(this.acts.at(-1)?.id ?? null), 'office.activity');
  }

  async #readActs(before: string | null): Promise<void> {
    const page = await api['office.activity']({ before, seat: null, kind: null });
    this.acts = before === null ? page.items : [...this.acts, ...page.items];
    this.hasOlder = page.hasMore;
  }

  async leave(): Promise<void> {
    await activity.attempt(async () => {
      await api['office.leave']({});
      activity.notify(m.office_left);
    }, 'office.leave');
  }

  /** Stops waiting for the computers of a restore that are shown now. */
  async excuse({ id, awaited }: OfficeRestore): Promise<void> {
    const desks = awaited.map(({ desk }) => desk);
    await activity.attempt(() => api['office.excuse']({ id, desks }), 'office.excuse');
  }

  async settle(id: string): Promise<void> {
    await activity.attempt(async () => {
      await api['office.adopt']({ id });
      await this.open.refresh();
      activity.notify(m.office_settling);
    }, 'office.adopt');
  }
}

export const office = new Office();

/** Announces that this computer is in an office now. */
function enter(words: Words): void {
  office.isNew = true;
  activity.notify(words);
}

/** Values for creating an office; the password is dropped with the form. */
export class NewOffice {
  host = $state('');
  port = $state<number | null>(DEFAULT_OFFICE_PORT);
  database = $state('signing_desk');
  owner = $state('signing_desk_owner');
  password = $state('');
  name = $state('');
  trust = $state.raw<File | null>(null);
  goesOnWithout = $state(false);
  isBusy = $state(false);
  failure = $state.raw<Failure | null>(null);

  readonly missing = $derived(
    [this.host, this.database, this.owner, this.password, this.name].some(
      (text) => text.trim() === '',
    ) || this.port === null,
  );

  async make(): Promise<OfficeMembership | null> {
    const { host, port, database, owner, password, name, trust, goesOnWithout } = this;
    const made = await this.#ask(async () =>
      api['office.create']({
        address: {
          host,
          port: port ?? DEFAULT_OFFICE_PORT,
          database: database.trim(),
          trust: trust === null ? null : await trust.text(),
        },
        owner: { role: owner.trim(), password },
        name,
        goesOnWithout,
      }),
    );
    if (made !== null) enter(m.office_made);
    return made;
  }

  async #ask<Result>(work: () => Promise<Result>): Promise<Result | null> {
    this.isBusy = true;
    this.failure = null;
    try {
      return await work();
    } catch (error) {
      this.failure = failureOf(error);
      return null;
    } finally {
      this.isBusy = false;
    }
  }
}

export class JoinForm {
  file = $state.raw<File | null>(null);
  phrase = $state('');
  isBusy = $state(false);
  failure = $state.raw<Failure | null>(null);

  readonly missing = $derived(this.file === null || this.phrase.trim() === '');

  async join(): Promise<void> {
    if (this.file === null) return;
    this.isBusy = true;
    this.failure = null;
    try {
      await api['office.join']({ invitation: await this.file.text(), phrase: this.phrase });
      enter(m.office_joined);
    } catch (error) {
      this.failure = failureOf(error);
    } finally {
      this.isBusy = false;
    }
  }
}

/** A new user, and the words of the invitation until they are passed on. */
export class Inviting {
  name = $state('');
  owner = $state('signing_desk_owner');
  password = $state('');
  rights = $state.raw<readonly OfficeUserRight[]>(OfficeUserRight.options);
  phrase = $state<string | null>(null);

  readonly missing = $derived(
    [this.name, this.owner, this.password].some((text) => text.trim() === ''),
  );

  allow(right: OfficeUserRight, isAllowed: boolean): void {
    const others = this.rights.filter((one) => one !== right);
    this.rights = isAllowed ? [...others, right] : others;
  }

  /**
   * Invites a user. Requires the folder first, because a user without a saved invitation is
   * useless. Returns the reason for a failure; null on success, with the words in `phrase`.
   */
  async invite(): Promise<string | null> {
    const { name, owner, password, rights } = this;
    try {
      const file = await saveThrough(async (folder) => {
        const order = { owner: { role: owner.trim(), password }, name, rights: [...rights] };
        const { out, fileName, phrase } = await api['office.invite'](order);
        const saved = await api['files.save']({ out, folder, fileName });
        this.phrase = phrase;
        return saved;
      });
      if (file === null) return m.office_invite_failed();
    } catch (error) {
      return sentenceFor(failureOf(error));
    }
    this.password = '';
    await office.seats.refresh();
    return null;
  }
}

/** Removes a user as the owner. Returns the reason for a failure; null on success. */
export async function removeSeat(
  { id, name }: OfficeUser,
  { owner, password }: Readonly<Record<'owner' | 'password', string>>,
): Promise<string | null> {
  let sessions;
  try {
    const order = { owner: { role: owner.trim(), password }, seat: id };
    ({ sessions } = await api['office.remove'](order));
  } catch (error) {
    return sentenceFor(failureOf(error));
  }
  activity.notify(() =>
    sessions === 0 ? m.office_removed({ name }) : m.office_removed_open({ name }),
  );
  await office.seats.refresh();
  return null;
}
