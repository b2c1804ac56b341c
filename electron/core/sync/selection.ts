import {
  type Selection,
  SelectionV1,
  SelectionV2,
} from '../../../shared/contract/agreement-selection.ts';
import { AgreementId, type ConnectionId } from '../../../shared/contract/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AgreementActions } from '../services/ports.ts';
import type { ChangePage } from '../ports.ts';
import type { Services } from '../services/services.ts';
import type { SyncOutcome, SyncPorts, SyncProgress } from './handlers.ts';
import { SyncNews } from './news.ts';
import { store, type Tally } from './reading.ts';

type SelectionPorts = Omit<SyncPorts, 'services'> & {
  readonly services: Pick<Services, 'act'>;
};

/**
 * Reads what the service itself selects, and nothing else: a view that must be true now, or a month
 * of long ago. The time up to which everything is known does not move, and nothing is concluded
 * from what is missing. Throws what the service answered; 'invalid' for the other API's selection.
 */
export async function syncSelection(
  ports: SelectionPorts,
  id: ConnectionId,
  selection: Selection,
  signal: AbortSignal,
  onProgress: (progress: SyncProgress) => void,
): Promise<SyncOutcome> {
  const { stores, services } = ports;
  const connection = stores.connections.get(id);
  const news = new SyncNews(id, ports);
  const tally: Tally = { received: 0, changed: 0, gone: 0 };
  const templateId = 'templateId' in selection ? selection.templateId : undefined;
  const take = async ({ items, total }: ChangePage) => {
    await store({ ...ports, connection, tally, news }, items);
    // API v2 tells an agreement's template nowhere else in a list.
    if (templateId !== undefined) {
      const ids = items.map((one) => AgreementId.parse(one.id));
      stores.agreements.setTemplate(id, templateId, ids);
    }
    tally.received += items.length;
    onProgress({ done: tally.received, total });
  };
  try {
    const requests = await services.act(id, async (actions) => {
      const before = actions.requestCount();
      for await (const page of pagesOf(actions, selection, signal)) await take(page);
      return actions.requestCount() - before;
    });
    const checkedUntil = stores.connections.checkedUntil(id);
    return { name: connection.name, requests, ...tally, checkedUntil, failure: null };
  } finally {
    await ports.adopt(id, signal);
    news.end();
  }
}

function pagesOf(
  actions: AgreementActions,
  selection: Selection,
  signal: AbortSignal,
): AsyncIterable<ChangePage> {
  if (actions.api === 'v1') {
    const ofV1 = SelectionV1.safeParse(selection);
    if (ofV1.success) return actions.select(ofV1.data, signal);
    const message = 'API v1 selects by one state or by the last activity';
    throw new AppError('invalid', message, { fields: { selection: message } });
  }
  const ofV2 = SelectionV2.safeParse(selection);
  if (ofV2.success) return actions.select(ofV2.data, signal);
  const message = 'API v2 selects by a status, with dates and a template';
  throw new AppError('invalid', message, { fields: { selection: message } });
}
