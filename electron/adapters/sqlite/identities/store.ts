import * as z from 'zod';
import type { IdentityId } from '../../../../shared/model/ids.ts';
import { Identity } from '../../../../shared/contract/signing.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { IdentityStore } from '../../../core/ports.ts';
import type { Database } from '../database/database.ts';

const columns = `id, name, first_name AS firstName, last_name AS lastName,
  role, company, person_number AS personNumber, country, org_no AS orgNo, email, mobile`;

const sql = {
  list: `SELECT ${columns} FROM identity ORDER BY name, id`,
  get: `SELECT ${columns} FROM identity WHERE id = @id`,
  insert: `
    INSERT INTO identity
      (id, name, first_name, last_name, role, company, person_number, country, org_no, email,
        mobile)
    VALUES (@id, @name, @firstName, @lastName, @role, @company, @personNumber, @country, @orgNo,
      @email, @mobile)`,
  remove: 'DELETE FROM identity WHERE id = @id',
};

/** Number of hidden characters: the last four distinguish people born on the same day. */
const HIDDEN_DIGIT_COUNT = 4;

const Row = Identity.omit({ personNumberMasked: true })
  .extend({ personNumber: z.string().nullable() })
  .transform((row) => ({ ...row, personNumberMasked: maskStoredNumber(row.personNumber) }));

export function createIdentityStore(database: Database): IdentityStore {
  const list = database.query(sql.list, Row);
  const one = database.query(sql.get, Row);
  const insert = database.command(sql.insert);
  const remove = database.command(sql.remove);
  const get = (id: IdentityId) => one.first({ id }) ?? throwMissingIdentity(id);

  return {
    list: () => list.all(),
    get,
    insert: (id, identity) => {
      const { role, company, personNumber, country, orgNo, email, mobile, ...names } = identity;
      insert({
        id,
        ...names,
        role: role ?? null,
        company: company ?? null,
        personNumber: personNumber ?? null,
        country: country ?? null,
        orgNo: orgNo ?? null,
        email: email ?? null,
        mobile: mobile ?? null,
      });
      return get(id);
    },
    remove: (id) => {
      if (remove({ id }) === 0) throwMissingIdentity(id);
    },
  };
}

function maskStoredNumber(personNumber: string | null): string | null {
  if (personNumber === null) return null;
  return `${personNumber.slice(0, -HIDDEN_DIGIT_COUNT)}${'•'.repeat(Math.min(HIDDEN_DIGIT_COUNT, personNumber.length))}`;
}

function throwMissingIdentity(id: IdentityId): never {
  throw new AppError('not-found', `There is no identity ${id}`);
}
