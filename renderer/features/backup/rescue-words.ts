import type { LostRows, RescueReport } from '../../../shared/contract/backup.ts';
import { formatBytes, formatCount, formatFirstNames } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

const lostRowKinds = {
  connections: m.settings_connections,
  agreements: m.screen_agreements,
  drafts: m.screen_drafts,
  files: m.rescue_kind_files,
  templates: m.screen_templates,
  people: m.screen_people,
  batches: m.screen_batch,
  sends: m.screen_outbox,
  actions: m.rescue_kind_actions,
  evidence: m.evidence_title,
  archived: m.screen_archive,
  rules: m.rules_title,
  settings: m.screen_settings,
  other: m.rescue_kind_other,
} as const satisfies Record<LostRows['kind'], () => string>;

/** Maximum number of listed names; the copied list contains all of them. */
const NAMES_SHOWN = 8;

interface FactRow {
  readonly name: string;
  readonly value: string;
}

interface LostRowsText {
  readonly table: string;
  readonly what: string;
  readonly which: string;
}

export function lostWords({ lost }: RescueReport): readonly LostRowsText[] {
  return lost.map(({ kind, table, rows, names }) => {
    const count = rows === null ? m.rescue_unknown() : formatCount(rows);
    const isAlone = lost.every((one) => one.kind !== kind || one.table === table);
    const name = isAlone ? lostRowKinds[kind]() : `${lostRowKinds[kind]()} (${table})`;
    return { table, what: `${name}: ${count}`, which: formatFirstNames(names, NAMES_SHOWN) };
  });
}

/** Whether the lost data can be read again from the service. */
export const canReadLostRowsAgain = ({ lost }: RescueReport): boolean =>
  lost.some(({ kind }) => kind === 'agreements');

/** Complete list for support, one item per line, with table names. */
export function lostText({ lost }: RescueReport): string {
  return lost
    .map(({ kind, table, rows, names }) => {
      const count = rows === null ? m.rescue_unknown() : formatCount(rows);
      return `${lostRowKinds[kind]()} (${table}): ${count}\n${names.map((name) => `  ${name}\n`).join('')}`;
    })
    .join('');
}

export function pageFacts({ pages, logBytes, unplaced }: RescueReport): readonly FactRow[] {
  const { unreadable, all } = pages;
  const done = { done: formatCount(unreadable), total: formatCount(all) };
  return [
    { name: m.rescue_pages(), value: m.activity_progress(done) },
    ...(logBytes === 0 ? [] : [{ name: m.rescue_log(), value: formatBytes(logBytes) }]),
    ...(unplaced === 0 ? [] : [{ name: m.rescue_unplaced(), value: formatCount(unplaced) }]),
  ];
}

export function savedFacts({
  counts,
  nameless,
  bareDrafts,
  bareSends,
}: RescueReport): readonly FactRow[] {
  const some = (name: string, count: number): readonly FactRow[] =>
    count === 0 ? [] : [{ name, value: formatCount(count) }];
  return [
    { name: m.settings_connections(), value: formatCount(counts.connections) },
    ...some(m.rescue_nameless(), nameless),
    { name: m.screen_agreements(), value: formatCount(counts.agreements) },
    { name: m.screen_drafts(), value: formatCount(counts.drafts) },
    ...some(m.rescue_bare_drafts(), bareDrafts),
    { name: m.screen_templates(), value: formatCount(counts.templates) },
    { name: m.screen_people(), value: formatCount(counts.people) },
    { name: m.screen_outbox(), value: formatCount(counts.sends) },
    ...some(m.rescue_bare_sends(), bareSends),
    { name: m.evidence_title(), value: formatCount(counts.evidence) },
    { name: m.screen_archive(), value: formatCount(counts.archived) },
  ];
}
