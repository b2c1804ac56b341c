import * as z from 'zod';
import { Settings, defaultSettings } from '../../../../shared/contract/settings.ts';
import type { SettingStore } from '../../../core/ports.ts';
import { jsonColumn } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { damagedRowError } from '../database/storage-errors.ts';

const sql = {
  read: 'SELECT name, value FROM setting',
  write: `
    INSERT INTO setting (name, value) VALUES (@name, @value)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
};

const Row = z.object({ name: z.string(), value: jsonColumn(z.json()) });

export function createSettingStore(database: Database): SettingStore {
  const rows = database.query(sql.read, Row);
  const write = database.command(sql.write);

  function read(): Settings {
    const stored = Object.fromEntries(rows.all().map(({ name, value }) => [name, value]));
    const settings = Settings.safeParse({ ...defaultSettings, ...stored });
    if (!settings.success) throw damagedRowError('settings');
    return settings.data;
  }

  return {
    read,
    write: (change) =>
      database.transaction(() => {
        for (const [name, value] of Object.entries(Settings.partial().parse(change))) {
          if (value !== undefined) write({ name, value: JSON.stringify(value) });
        }
        return read();
      }),
  };
}
