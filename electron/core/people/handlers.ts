import type { Emit, HandlersOf } from '../../../shared/contract/index.ts';
import { type PeoplePair, PersonId } from '../../../shared/contract/people.ts';
import { AppError } from '../../../shared/errors.ts';
import { validateEntry } from '../../../shared/rules/people/entry.ts';
import { duplicateReasons, withNewValues } from '../../../shared/rules/people/same.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Chance, Clock, Encoding, Files, Scheduler, Stores } from '../ports.ts';
import type { ReportWriter } from '../reports/ports.ts';
import type { SheetReader } from '../sheet-ports.ts';
import { BookChanges } from './changes.ts';
import { createPersonDataHandlers } from './everything.ts';
import { createBookExportHandlers } from './export.ts';
import { createForgetHandlers } from './forget.ts';
import { createPeopleGroupHandlers } from './groups.ts';
import { createBookImportHandlers } from './import.ts';
import type { CardReader } from './ports.ts';
import { detailsOf, toPersonSuggestion } from './views.ts';

/** Maximum number of people offered at once: a user can look through about this many. */
const MAX_OFFERED = 20;

interface PeoplePorts {
  readonly stores: Pick<
    Stores,
    'people' | 'drafts' | 'agreements' | 'actions' | 'outbox' | 'office' | 'forms' | 'transaction'
  >;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
  readonly bytes: ByteExchange;
  readonly encoding: Encoding;
  readonly scheduler: Scheduler;
  readonly reports: ReportWriter;
  readonly sheets: { readonly reader: SheetReader };
  readonly cards: CardReader;
  readonly files: Files;
  readonly jobs: JobQueue;
}

/** Address book: recipients of earlier sends, added people, and groups. */
export function createPeopleHandlers(ports: PeoplePorts): HandlersOf<'people'> {
  const { people } = ports.stores;
  const changes = new BookChanges(ports);
  const details = (id: PersonId) => detailsOf(people.get(id), people.groupsOf(id));
  return {
    'people.search': async ({ text }) => people.search(text, MAX_OFFERED).map(toPersonSuggestion),
    'people.window': async ({ from, limit, ...view }) => {
      const { items, total } = people.window(view, from, limit);
      return { items: items.map(toPersonSuggestion), total };
    },
    'people.show': async ({ id }) => details(id),
    'people.take': async ({ id }) => people.get(id).person,
    'people.doubles': async () => ({
      pairs: people.pairs().flatMap(([first, second]): PeoplePair[] => {
        const reasons = [...duplicateReasons(first.person, second.person)];
        if (reasons.length === 0) return [];
        return [{ reasons, first: details(first.id), second: details(second.id) }];
      }),
    }),
    'people.keepApart': async ({ first, second }) => {
      people.keepApart(people.get(first).id, people.get(second).id);
      return {};
    },
    ...createEdits(ports, changes),
    ...createPeopleGroupHandlers(ports),
    ...createBookImportHandlers({ ...ports, changes }),
    ...createBookExportHandlers(ports),
    ...createPersonDataHandlers(ports),
    ...createForgetHandlers({ ...ports, changes }),
  };
}

type Edits = 'save' | 'remove' | 'merge' | 'undo';

function createEdits(
  { stores, clock, chance, emit }: PeoplePorts,
  changes: BookChanges,
): Pick<HandlersOf<'people'>, `people.${Edits}`> {
  const { people } = stores;
  return {
    'people.save': async ({ id: wanted, entry }) => {
      const now = clock.now();
      const known = wanted === null ? null : people.get(wanted);
      const { person, problems } = validateEntry(entry, known?.person.personNumber, dayOf(now));
      if (problems !== null) {
        throw new AppError('invalid', 'Some details are not valid yet', { fields: problems });
      }
      const id = known?.id ?? PersonId.parse(chance.uuid());
      const fresh = { id, times: 0, usedAt: now, addedAt: now };
      const change = changes.make([id], () =>
        people.put({ ...(known ?? fresh), person, changedAt: now }),
      );
      emit('people.changed', {});
      return { id, change };
    },
    'people.remove': async ({ id }) => {
      const change = changes.make([id], () => people.remove(id));
      emit('people.changed', {});
      return { change };
    },
    'people.merge': async ({ keep, other }) => {
      if (keep === other) throw new AppError('invalid', 'An entry cannot be merged with itself');
      const [kept, gone] = [people.get(keep), people.get(other)];
      const change = changes.make([keep, other], () => {
        people.put({
          ...kept,
          person: withNewValues(gone.person, kept.person),
          times: kept.times + gone.times,
          usedAt: Math.max(kept.usedAt, gone.usedAt),
          addedAt: Math.min(kept.addedAt, gone.addedAt),
          changedAt: clock.now(),
        });
        people.moveMemberships(other, keep);
        people.remove(other);
      });
      emit('people.changed', {});
      return { change };
    },
    'people.undo': async ({ change }) => {
      changes.undo(change);
      emit('people.changed', {});
      return {};
    },
  };
}
