import { readLines } from '../../../electron/adapters/sheets/read/lines.ts';
import { holdsNumber } from '../../../electron/adapters/sheets/read/person-numbers.ts';
import { readSheet } from '../../../electron/adapters/sheets/read/sheet.ts';
import type { RowChecker } from '../../../electron/core/batches/ports.ts';
import type { SheetReader } from '../../../electron/core/sheet-ports.ts';
import { createRowCheck } from '../../../shared/rules/batches/check.ts';

/** Spreadsheets read and checked on the test's own thread. */
export function createSheetTools(): { readonly reader: SheetReader; readonly checks: RowChecker } {
  return {
    reader: {
      read: async (data, choices) => readSheet(data, choices),
      readLines: async (data, choices) => readLines(data, choices),
      holdsNumber: async (data) => holdsNumber(data),
      close: async () => {},
    },
    checks: {
      check: async (spec, rows) => rows.map(createRowCheck(spec)),
      close: async () => {},
    },
  };
}
