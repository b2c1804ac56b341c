import { expect, it } from 'vitest';
import { connect } from '../../../../electron/adapters/sqlite/database/cipher.ts';
import { findDamage } from '../../../../electron/adapters/sqlite/database/damage.ts';
import { migrations } from '../../../../electron/adapters/sqlite/migrations/index.ts';
import { tempDatabase } from '../temp-database.ts';

it('a data file with a foreign trigger counts as damaged (SR-H2)', () => {
  using place = tempDatabase();
  expect(findDamage(place.database, migrations)).toBeNull();
  const raw = connect(place.file, place.key, 'write');
  raw.exec('CREATE TRIGGER added AFTER INSERT ON draft BEGIN DELETE FROM evidence; END');
  raw.close();
  expect(findDamage(place.database, migrations)).toBe('its schema is not that of this program');
});
