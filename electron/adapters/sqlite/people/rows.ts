import * as z from 'zod';
import { Instant } from '../../../../shared/model/ids.ts';
import { Person, PersonId } from '../../../../shared/contract/people.ts';
import type { StoredPerson } from '../../../core/people/ports.ts';
import { jsonColumn } from '../database/columns.ts';

/** Returns the columns of `person`, under the table alias of a statement. */
export const personFields = (table = 'person'): string =>
  `${table}.id, ${table}.content AS person, ${table}.times, ${table}.used_at AS usedAt,
  ${table}.added_at AS addedAt, ${table}.changed_at AS changedAt,
  ${table}.content ->> '$.learnedAt' AS learnedAt`;

export const PersonRow = z.object({
  id: PersonId,
  person: jsonColumn(Person),
  times: z.number().int(),
  usedAt: Instant,
  addedAt: Instant,
  changedAt: Instant,
  learnedAt: Instant.nullable().transform((at) => at ?? undefined),
}) satisfies z.ZodType<StoredPerson>;
