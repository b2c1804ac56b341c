import { describe, expect, it } from 'vitest';
import { createRowChecks } from '../../../../electron/adapters/sheets/worker/check-client.ts';
import { createSheetReader } from '../../../../electron/adapters/sheets/worker/read-client.ts';
import { AppError } from '../../../../shared/errors.ts';
import { createRowCheck } from '../../../../shared/rules/batches/check.ts';
import { matchColumns } from '../../../../shared/rules/batches/match.ts';
import { mappingV1, NOW } from '../../../rules/batches/row.ts';
import { bytes } from '../refusal.ts';

const header = 'First name;Last name;E-mail;Mobile;Country;Personal number;Expires;Rent';
const line = (at: number) =>
  `Åsa;Öberg ${at};a${at}@example.com;070123${1000 + at};SE;198001019804;2027-01-31;9400`;

describe('spreadsheets read in a separate thread', () => {
  it('return their rows, and rejections with their reasons', async () => {
    const reader = createSheetReader();
    const { shape, rows } = await reader.read(bytes(`${header}\n${line(1)}\n`), {});
    expect(shape.columns).toHaveLength(8);
    expect(rows[0]?.row).toBe(2);
    const refused = await reader.read(bytes('Name\n'), {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused instanceof AppError && refused.failure.reason).toBe('sheet-empty');
  });

  it('return a list as lines, and for an invalid list the reason for its rejection', async () => {
    const reader = createSheetReader();
    const { text } = await reader.readLines(bytes('a@x.example;b@x.example\n'), {});
    expect(text).toBe('a@x.example;b@x.example\n');
    await expect(reader.readLines(bytes(''), {})).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'sheet-empty' },
    });
  });

  it('are stopped when the program closes', async () => {
    const reader = createSheetReader();
    const reading = reader.read(bytes(`${header}\n${line(1)}\n`), {});
    await reader.close();
    await expect(reading).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  });

  it('have 10,000 rows checked in that thread, while other requests are answered (TX-25)', async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => line(at));
    const { shape, rows } = await createSheetReader().read(
      bytes([header, ...lines].join('\n')),
      {},
    );
    const columns = shape.columns.map(({ name }) => name);
    const spec = {
      mapping: mappingV1,
      matches: matchColumns(mappingV1, columns),
      columns,
      document: null,
      fields: [],
      now: NOW,
      number: '1',
      allowed: null,
    };
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 10);
    const checked = await createRowChecks().check(spec, rows);
    clearInterval(ticking);
    expect(checked).toHaveLength(10_000);
    expect(checked[17]).toEqual(rows.slice(17, 18).map(createRowCheck(spec))[0]);
    // The main thread ran other work during the check.
    expect(turns).toBeGreaterThan(5);
  });
});
