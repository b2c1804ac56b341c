import type { Batch } from '../../../shared/contract/batches.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import type { TemplateSummary } from '../../../shared/contract/templates.ts';

type ListedTemplate = Pick<TemplateSummary, 'id' | 'api' | 'trashedAt'>;
type ListedConnection = Pick<Connection, 'id' | 'api'>;

/** Returns the item if there is no other; null if there is none or a choice. */
const onlyOne = <Item>([first, ...others]: readonly Item[]): Item | null =>
  others.length === 0 ? (first ?? null) : null;

/**
 * Template and connection of a new batch: the selected connection, and what the user could only
 * choose in one way. Null leaves the choice to the user.
 */
export function firstChoice(
  templates: readonly ListedTemplate[],
  connections: readonly ListedConnection[],
  current: ListedConnection | null,
): Pick<Batch, 'templateId' | 'connectionId'> {
  const usable = templates.filter(
    ({ api, trashedAt }) => trashedAt === null && (current === null || api === current.api),
  );
  const template = onlyOne(usable);
  if (template === null) return { templateId: null, connectionId: current?.id ?? null };
  const connection = current ?? onlyOne(connections.filter(({ api }) => api === template.api));
  return { templateId: template.id, connectionId: connection?.id ?? null };
}
