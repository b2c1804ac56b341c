import * as z from 'zod';
import { AgreementId, AgreementKey } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { AgreementStore } from '../../../core/ports.ts';
import { type AgreementIndex, createAgreementIndex } from './search-index.ts';
import { createLists } from './lists.ts';
import { templateMark } from './marks.ts';
import { createUpsert } from './upsert.ts';
import { createOwnCompany } from './own-company.ts';
import { createRemoval } from './removal.ts';
import { createSentElsewhere } from './sent-elsewhere.ts';
import { detailColumns, detailsOf, DetailsRow, agreementWithContentSql } from './rows.ts';
import type { Database } from '../database/database.ts';

const ofThisConnectionSql = '(@connectionId IS NULL OR a.connection_id = @connectionId)';

const sql = {
  details: `
    SELECT ${detailColumns} FROM ${agreementWithContentSql}
    WHERE a.connection_id = @connectionId AND a.id = @id`,
  find: `
    SELECT connection_id AS connectionId, id FROM agreement
    WHERE connection_id IN (SELECT id FROM connection) AND id = @id ORDER BY is_live DESC, connection_id`,
  withRef:
    'SELECT id FROM agreement WHERE connection_id = @connectionId AND ref = @ref ORDER BY id',
  markGone: `
    UPDATE agreement SET gone = @gone, my_turn = 0 WHERE connection_id = @connectionId AND id = @id`,
  setTemplate: `
    UPDATE agreement SET template_mark = @mark, template_id = @templateId
    WHERE connection_id = @connectionId AND id = @id
      AND (template_mark IS NOT @mark OR template_id IS NOT @templateId)
    RETURNING number, updated_key AS updated, place`,
  signable: `
    SELECT ${detailColumns} FROM agreement a INDEXED BY agreement_signable
    JOIN agreement_content c ON c.number = a.number
    WHERE a.signable = 1 AND a.is_open = 1 AND a.is_live = 1 AND a.gone IS NULL
      AND ${ofThisConnectionSql}
    ORDER BY a.my_turn DESC, a.expires_at IS NULL, a.expires_at, a.number`,
};

const IdRow = z.object({ id: AgreementId });
const PlacedRow = z.object({
  number: z.number(),
  updated: z.number(),
  place: z.number().nullable(),
});

export function createAgreementStore(database: Database): AgreementStore {
  const index = createAgreementIndex(database);
  const details = database.query(sql.details, DetailsRow);
  const find = database.query(sql.find, AgreementKey);
  const withRef = database.query(sql.withRef, IdRow);
  const signable = database.query(sql.signable, DetailsRow);
  const markGone = database.command(sql.markGone);
  let bulks = 0;

  return {
    put: createUpsert(database, { index, isBulk: () => bulks > 0 }),
    beginBulk: () => {
      bulks += 1;
    },
    endBulk: () => {
      bulks -= 1;
    },
    buildIndex: (isOver) => bulks > 0 || index.build(isOver),
    ...createLists(database, index),
    ...createRemoval(database),
    ...createSentElsewhere(database),
    ...createOwnCompany(database),
    details: (key) => detailsOf(details.first(key) ?? throwMissingAgreement(key)),
    find: (id) => find.all({ id }),
    withRef: (connectionId, ref) => withRef.all({ connectionId, ref }).map(({ id }) => id),
    markGone: (key, gone) => {
      if (markGone({ ...key, gone }) === 0) throwMissingAgreement(key);
    },
    setTemplate: createSetTemplate(database, index),
    signable: (connectionId) => signable.all({ connectionId: connectionId ?? null }).map(detailsOf),
  };
}

function createSetTemplate(
  database: Database,
  index: AgreementIndex,
): AgreementStore['setTemplate'] {
  const set = database.query(sql.setTemplate, PlacedRow);
  return (connectionId, templateId, ids) => {
    const mark = templateMark(templateId);
    database.transaction(() => {
      for (const id of ids) {
        const row = set.first({ connectionId, id, mark, templateId });
        if (row === undefined || row.place === null) continue;
        index.place(row, { from: row.place, isReworded: true });
      }
    });
  };
}

function throwMissingAgreement(key: AgreementKey): never {
  throw new AppError('not-found', `Agreement ${key.id} is not on this computer`);
}
