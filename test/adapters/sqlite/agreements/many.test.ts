import { expect, it } from 'vitest';
import * as z from 'zod';
import { AgreementView } from '../../../../shared/contract/agreement-query.ts';
import { agreementPlace } from './place.ts';
import { remote } from '../samples.ts';
import { NOW } from '../temp-database.ts';

/** Number of agreements: more than a function can have arguments. */
const MANY = 150_000;

it('a report gets the numbers of any number of agreements', () => {
  using place = agreementPlace();
  place.put([remote()]);
  multiply(place.database, MANY);
  const numbers = place.agreements.numbers(AgreementView.parse({}), NOW);
  expect(numbers.length).toBe(MANY);
  expect(new Set(numbers).size).toBe(MANY);
});

/** Inserts copies of the only row, each with its own ID and number. */
function multiply(database: ReturnType<typeof agreementPlace>['database'], many: number): void {
  const columns = database
    .query('SELECT name FROM pragma_table_info(@table)', z.object({ name: z.string() }))
    .all({ table: 'agreement' })
    .map(({ name }) => name);
  const values = columns.map((name) => {
    if (name === 'id') return "'copy-' || n";
    return name === 'number' ? 'n' : name;
  });
  database.command(`
    WITH RECURSIVE count (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM count WHERE n < @many)
    INSERT INTO agreement (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM count CROSS JOIN agreement WHERE number = 1`)({ many });
}
