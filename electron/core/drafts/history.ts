import type { Draft, DraftSummary, SavedDraft } from '../../../shared/contract/drafts.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import type { Emit, Handlers } from '../../../shared/contract/index.ts';
import type { Clock, Stores } from '../ports.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

interface HistoryPorts {
  readonly stores: Pick<Stores, 'drafts' | 'settings'>;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly summarise: (draft: Draft, now: number) => DraftSummary;
  readonly announceEdit: (draft: Draft) => SavedDraft;
}

type DraftHistoryCallName =
  | 'knownGroups'
  | 'reach'
  | 'undo'
  | 'redo'
  | 'delete'
  | 'trash'
  | 'restore'
  | 'destroy';

export function createDraftHistoryHandlers(
  ports: HistoryPorts,
): Pick<Handlers, `drafts.${DraftHistoryCallName}`> {
  const { clock, emit, summarise } = ports;
  const { drafts } = ports.stores;
  const step = (id: DraftId, revision: number, by: 1 | -1): SavedDraft =>
    ports.announceEdit(drafts.step(id, revision, by, clock.now()));

  return {
    'drafts.knownGroups': async () => ({ names: [...drafts.groupNames()] }),
    'drafts.reach': async ({ id }) => drafts.reach(id),
    'drafts.undo': async ({ id, revision }) => step(id, revision, -1),
    'drafts.redo': async ({ id, revision }) => step(id, revision, 1),
    'drafts.delete': async ({ id }) => {
      drafts.trash(id, clock.now());
      emit('drafts.changed', { id });
      return {};
    },
    'drafts.trash': async () => {
      const { trash } = ports.stores.settings.read().keepDays;
      return drafts.trashed().map(({ draft, at }) => ({
        ...summarise(draft, clock.now()),
        trashedAt: at,
        endsAt: trash === null ? null : at + trash * DAY,
      }));
    },
    'drafts.restore': async ({ id }) => {
      drafts.restore(id);
      emit('drafts.changed', { id });
      return drafts.get(id);
    },
    'drafts.destroy': async ({ id }) => {
      drafts.destroy(id);
      emit('drafts.changed', { id });
      return {};
    },
  };
}
