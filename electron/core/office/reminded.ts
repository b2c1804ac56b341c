import type { ConnectionId } from '../../../shared/model/ids.ts';
import { ActionScanData } from '../../../shared/contract/office/office.ts';
import { CoalescedTask } from '../../../shared/coalesced.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Clock, Stores } from '../ports.ts';
import { withOfficeErrors } from './offline.ts';
import { isKnown } from '../services/fresh-copy.ts';
import { isOwnDemo } from './operation.ts';
import { connectionsTo, serviceOf } from '../services/same-service.ts';
import type { JoinedOffice, OfficeReminder, OfficeStore } from './ports.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const REMINDERS_PER_READ = 500;
/** Maximum delay between the time of an entry in the office and its commit. */
const READ_OVERLAP_MS = HOUR;

type KeptReminder = Parameters<OfficeStore['keepReminders']>[0]['sent'][number];

interface OfficeReminderPorts {
  readonly stores: Pick<Stores, 'connections' | 'office' | 'agreements'>;
  readonly joined: () => Promise<JoinedOffice> | null;
  readonly clock: Clock;
  readonly toFailure: ToFailure;
}

/**
 * Reminders that other computers of the office sent. They are copied to this computer, so that
 * rules and previews count them like its own reminders, whether or not the office is reachable.
 */
export class OfficeReminderCopies {
  readonly #ports: OfficeReminderPorts;
  readonly #reading = new CoalescedTask(
    async () => void (await withOfficeErrors(() => this.#read())),
  );

  constructor(ports: OfficeReminderPorts) {
    this.#ports = ports;
  }

  /**
   * Reads new reminders. Does nothing outside of an office. Throws 'offline' with 'office-away'.
   */
  refresh(): Promise<void> {
    return this.#reading.run();
  }

  async #read(): Promise<void> {
    const { stores, joined } = this.#ports;
    const office = await joined();
    if (office === null) return;
    const source = sourceOf(stores, office);
    const from = Math.max(0, stores.office.remindersReadUpTo(source) - READ_OVERLAP_MS);
    for (let since = from; ;) {
      const page = await office.claims.reminded(since, REMINDERS_PER_READ);
      const last = page.at(-1);
      if (last === undefined) return;
      const upTo = Math.max(last.movedAt, stores.office.remindersReadUpTo(source));
      const sent = page.flatMap((one) => this.#kept(one) ?? []);
      const released = page.filter(({ isReleased }) => isReleased).map(({ id }) => id);
      stores.office.keepReminders({ sent, released, source, upTo });
      if (page.length < REMINDERS_PER_READ) return;
      // Otherwise, a full page within one millisecond would be read over and over.
      since = Math.max(last.movedAt, since + 1);
    }
  }

  /**
   * Returns the reminder as it is kept on this computer. Returns null if no reminder was sent, or
   * if this computer cannot read it or has no connection to its service.
   */
  #kept({ id, startedAt, isReleased, about }: OfficeReminder): KeptReminder | null {
    const { stores, clock, toFailure } = this.#ports;
    if (about === null) {
      toFailure(unreadableReminderError(id), 'office.reminded');
      return null;
    }
    const scan = ActionScanData.safeParse(about.scan);
    if (isReleased || !scan.success) return null;
    const { agreementId, partyId } = scan.data;
    const reaching = connectionsTo(stores, about.service);
    // If several connections reach the service, uses the one that has read the agreement.
    const has = (one: ConnectionId) =>
      isKnown(stores.agreements, { connectionId: one, id: agreementId });
    const connectionId = reaching.find(has) ?? reaching[0];
    if (connectionId === undefined) return null;
    // `startedAt` is by the office's clock, which may be ahead of the local one.
    const at = Math.min(startedAt, clock.now());
    return partyId === null ? null : { id, connectionId, agreementId, partyId, at };
  }
}

function unreadableReminderError(id: string): AppError {
  const message = `The reminder ${id} from another computer cannot be read and is not counted`;
  return new AppError('storage', message, { reason: 'data-damaged' });
}

/**
 * Identifies the office and the services whose reminders are kept; if it changes, skipped reminders
 * are read. A computer gets a new ID each time it joins an office.
 */
function sourceOf(
  stores: OfficeReminderPorts['stores'],
  { desk }: Pick<JoinedOffice, 'desk'>,
): string {
  const { connections } = stores;
  const own = connections.list().filter(({ id }) => !isOwnDemo(stores, id));
  return JSON.stringify([desk, ...own.map(({ id }) => serviceOf(stores, id)).toSorted()]);
}
