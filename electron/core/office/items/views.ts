import { MAX_SAVED_VIEWS, SavedView } from '../../../../shared/contract/agreement-views.ts';
import type { Json } from '../../../../shared/rules/evidence/canonical-json.ts';
import { SharedView } from '../../../../shared/rules/office/items.ts';
import type { Content } from '../../../../shared/rules/office/merge.ts';
import { isSameService } from '../../../../shared/rules/office/service-name.ts';
import { isOwnDemo } from '../operation.ts';
import { connectionTo, serviceOf } from '../../services/same-service.ts';
import { containsPersonNumber } from '../../../../shared/rules/people/personal-numbers.ts';
import type { ItemKeeper, KeeperPorts } from './keeper.ts';

/**
 * Reads and writes saved views of the list of agreements. Views of this computer's own demo and
 * views with a personal number are not shared.
 */
export function createViewItems({ stores }: KeeperPorts): ItemKeeper {
  const { settings } = stores;
  const views = (): readonly SavedView[] => settings.read().agreementViews;
  const isShared = ({ filter: { connectionId } }: SavedView): boolean =>
    connectionId === undefined || !isOwnDemo(stores, connectionId);
  /** Returns the office's name for the service, which earlier versions named differently. */
  const namedBefore = (id: string, service: string): string => {
    const known = SharedView.safeParse(stores.office.item('view', id)?.content);
    const before = known.success ? known.data.service : null;
    return before !== null && isSameService(before, service) ? before : service;
  };
  const contentOf = ({ id, name, filter, layout }: SavedView): Json => {
    const { connectionId, ...rest } = filter;
    const service =
      connectionId === undefined ? null : namedBefore(id, serviceOf(stores, connectionId));
    return { name, filter: rest, layout, service };
  };
  return {
    shape: { fields: { filter: 'one', layout: 'one' } },
    list: () =>
      new Map(
        views()
          .filter(isShared)
          .map((one) => [one.id, contentOf(one)]),
      ),
    read(id) {
      const view = views().find((one) => one.id === id);
      return view === undefined ? undefined : contentOf(view);
    },
    write(id, content) {
      const [all, at] = [[...views()], views().findIndex((one) => one.id === id)];
      if (content === undefined) {
        if (at !== -1) settings.write({ ...settings.read(), agreementViews: all.toSpliced(at, 1) });
        return true;
      }
      const { service, filter, ...rest } = SharedView.parse(content);
      const inUse = all[at]?.filter.connectionId ?? null;
      const connectionId = service === null ? null : connectionTo(stores, service, inUse);
      if (service !== null && connectionId === null) return false;
      if (at === -1 && all.length >= MAX_SAVED_VIEWS) return false;
      const view = SavedView.parse({
        id,
        ...rest,
        filter: { ...filter, ...(connectionId && { connectionId }) },
      });
      const agreementViews = at === -1 ? [...all, view] : all.with(at, view);
      settings.write({ ...settings.read(), agreementViews });
      return true;
    },
    isWithheld(id) {
      const view = views().find((one) => one.id === id);
      return view !== undefined && containsPersonNumber(contentOf(view), [['service']]);
    },
    titleOf: (_id, content) => SharedView.parse(content).name,
    textOf: (content: Content) => {
      if (typeof content === 'string') return content;
      const view = SharedView.safeParse(content);
      return view.success ? view.data.name : null;
    },
  };
}
