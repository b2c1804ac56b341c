import type { Board, BoardChart } from '../../../shared/contract/board.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import {
  ageBuckets,
  upcomingIntervals,
  monthIntervals,
} from '../../../shared/rules/board/stretches.ts';
import { plotSvg } from '../../../shared/rules/board/svg.ts';
import { listSeparator } from '../../../shared/rules/sheets/list-separator.ts';
import { acceptAllBytes } from '../bytes/accept.ts';
import { asSingleChunk } from '../chunks.ts';
import type { Clock, Encoding, Files } from '../ports.ts';
import type { ReportCell } from '../../../shared/contract/reports.ts';
import type { ReportTable, ReportWriter } from '../reports/ports.ts';
import type { BoardReader } from './ports.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** Age (ms) up to which refused actions need attention. */
const RECENT_ACTION_AGE_MS = 30 * DAY;
/** Maximum number of templates in a readable plot. */
const MAX_TEMPLATES = 10;

interface BoardPorts {
  readonly board: BoardReader;
  readonly reports: ReportWriter;
  readonly encoding: Encoding;
  readonly files: Files;
  readonly clock: Clock;
}

export function createBoardHandlers(ports: BoardPorts): HandlersOf<'board'> {
  return {
    'board.read': async ({ connectionId, days }): Promise<Board> => {
      const now = ports.clock.now();
      const since = now - RECENT_ACTION_AGE_MS;
      const ages = ageBuckets(now);
      const months = monthIntervals(now);
      const ahead = upcomingIntervals(now, days);
      const { waiting, signing, expiring, failed } = await ports.board.board({
        connectionId: connectionId ?? null,
        now,
        ages: ages.map(({ from, to }) => ({ from, to })),
        months: months.map(({ from, to }) => ({ from, to })),
        ahead,
        since,
        mostTemplates: MAX_TEMPLATES,
      });
      return {
        at: now,
        days,
        waiting: {
          bars: ages.map(({ days: { from, to } }, at) => ({
            from,
            to,
            count: waiting.counts[at] ?? 0,
          })),
          unknown: waiting.unknown,
        },
        signing: {
          months: signing.months.map(({ at, count, median, ninety }) => ({
            month: months[at]?.name ?? '',
            count,
            median,
            ninety,
          })),
          templates: [...signing.templates],
          moreTemplates: signing.moreTemplates,
          unknown: signing.unknown,
        },
        expiring: {
          bars: ahead.map(({ from, to }, at) => ({ from, to, count: expiring.counts[at] ?? 0 })),
          unknown: expiring.unknown,
          past: expiring.past,
        },
        failed: { bars: [...failed], since },
      };
    },
    'board.save': async ({ file, form, plots }) => {
      const chunks =
        form === 'svg'
          ? pictureOf(ports, plots)
          : ports.reports.csv(tableOf(plots), listSeparator());
      const { signal } = new AbortController();
      return ports.files.saveNew(file, { chunks, bytes: null }, acceptAllBytes, signal);
    },
  };
}

function pictureOf(
  { encoding }: BoardPorts,
  plots: readonly BoardChart[],
): AsyncIterable<Uint8Array> {
  const [plot, ...more] = plots;
  if (plot === undefined || more.length > 0) {
    throw new AppError(
      'invalid',
      'An SVG picture can show one chart only. Choose one chart, or save the charts as CSV',
    );
  }
  return asSingleChunk(encoding.utf8(plotSvg(plot)));
}

/**
 * Returns the table of one plot as shown. Several plots become one table, one below the other, with
 * one row per value.
 */
function tableOf(plots: readonly BoardChart[]): ReportTable {
  const [plot, ...more] = plots;
  if (plot !== undefined && more.length === 0) {
    const { title, group, groups } = plot;
    const rows = groups.map(({ label, values }): readonly ReportCell[] => [
      label,
      ...values.map(({ value }) => ({ number: value })),
    ]);
    return { title, headings: [group, ...measuresOf(plot)], rows: asSingleChunk(rows) };
  }
  const rows = plots.flatMap((one) => {
    const measures = measuresOf(one);
    return one.groups.flatMap(({ label, values }) =>
      values.map(({ value }, at): readonly ReportCell[] => [
        one.title,
        label,
        measures[at] ?? '',
        { number: value },
      ]),
    );
  });
  return {
    title: 'Board',
    headings: ['Plot', 'Group', 'Measure', 'Value'],
    rows: asSingleChunk(rows),
  };
}

const measuresOf = ({ series, unit }: BoardChart): readonly string[] =>
  series.map((name) => (unit === null ? name : `${name}, ${unit}`));
