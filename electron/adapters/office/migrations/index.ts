import { start } from './0001-start.ts';
import { sharedItems } from './0002-shared-items.ts';
import { handovers } from './0003-handovers.ts';
import { evidenceEnds } from './0004-evidence-ends.ts';
import { leases } from './0005-leases.ts';
import { approvals } from './0006-approvals.ts';
import { together } from './0007-together.ts';
import { sealedHandovers } from './0008-sealed-handovers.ts';
import { putBack } from './0009-put-back.ts';
import { moves } from './0010-moves.ts';
import { thisDatabase } from './0011-this-database.ts';
import { toldLate } from './0012-told-late.ts';
import { ownOperations } from './0013-own-operations.ts';
import { narrowerRights } from './0014-narrower-rights.ts';
import { boundedRows } from './0015-bounded-rows.ts';
import { removableSeats } from './0016-removable-seats.ts';
import { desksRows } from './0017-desks-rows.ts';

/** In order; one that was shipped is never changed. */
export const migrations: readonly string[] = [
  start,
  sharedItems,
  handovers,
  evidenceEnds,
  leases,
  approvals,
  together,
  sealedHandovers,
  putBack,
  moves,
  thisDatabase,
  toldLate,
  ownOperations,
  narrowerRights,
  boundedRows,
  removableSeats,
  desksRows,
];
