import { type ConnectionId, AgreementId } from '../../../shared/model/ids.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { Sync, SyncOutcome, SyncProgress, SyncPorts } from './handlers.ts';
import {
  type Selection,
  SelectionV1,
  SelectionV2,
} from '../../../shared/contract/agreement-selection.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AgreementActions } from '../services/ports.ts';
import type { ChangePage } from '../ports.ts';
import type { Services } from '../services/services.ts';
import { SyncNews } from './news.ts';
import { storePage, type SyncTally } from './reading.ts';

/** Reads connections in parallel; fails only if all of them fail. */
export async function syncAll(
  sync: Sync,
  ids: readonly ConnectionId[],
  isFull: boolean,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<{ connections: SyncOutcome[] }>> {
  const progress = new Map<ConnectionId, SyncProgress>();
  const connections = await Promise.all(
    ids.map((id) =>
      sync.run(id, isFull, signal, (now) => {
        progress.set(id, now);
        report(sumOf([...progress.values()]));
      }),
    ),
  );
  const failures = connections.flatMap(({ failure }) => failure ?? []);
  report({ failed: failures.length });
  const isAllFailed = failures.length === ids.length;
  return { result: { connections }, failure: isAllFailed ? (failures[0] ?? null) : null };
}

/** Sums up the agreements read; the total is null until every service has reported its own. */
function sumOf(parts: readonly SyncProgress[]): SyncProgress {
  const done = parts.reduce((sum, part) => sum + part.done, 0);
  const totals = parts.flatMap(({ total }) => total ?? []);
  const isKnown = totals.length === parts.length;
  return { done, total: isKnown ? totals.reduce((sum, total) => sum + total, 0) : null };
}

type SelectionPorts = Omit<SyncPorts, 'services' | 'gates'> & {
  readonly services: Pick<Services, 'act'>;
};

/**
 * Reads only the agreements that the service selects, for a view that must be current or for a past
 * month. Does not advance the time up to which all changes are known, and concludes nothing from
 * missing agreements. Throws the service's failure; 'invalid' for a selection of the other API.
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
  const tally: SyncTally = { received: 0, changed: 0, gone: 0 };
  const templateId = 'templateId' in selection ? selection.templateId : undefined;
  const take = async ({ items, total }: ChangePage) => {
    await storePage({ ...ports, connection, tally, news }, items);
    // With API v2, only a list selected by template shows the template of its agreements.
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
    await ports.linkToAgreements(id, signal);
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
    const message =
      'API v1 can limit a sync to one status, or to dates of the last activity, but not to both';
    throw new AppError('invalid', message, { fields: { selection: message } });
  }
  const ofV2 = SelectionV2.safeParse(selection);
  if (ofV2.success) return actions.select(ofV2.data, signal);
  const message = 'With API v2, a limited sync needs a status. Dates and a template can be added';
  throw new AppError('invalid', message, { fields: { selection: message } });
}
