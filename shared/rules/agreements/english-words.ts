import type { ReportWords } from '../../contract/reports.ts';

/**
 * English words for the command line and for indexes. Other programs read them, so the window's
 * language does not change them.
 */
export const englishWords: ReportWords = {
  title: 'Agreements',
  rejectedOrExpired: 'rejected or expired',
  unsigned: 'not signed',
  states: {
    draft: 'draft',
    waiting: 'waiting',
    'part-signed': 'part-signed',
    signed: 'signed',
    rejected: 'rejected',
    revoked: 'revoked',
    expired: 'expired',
    unknown: 'unknown',
  },
  partyStates: {
    draft: 'draft',
    waiting: 'waiting',
    turn: 'to sign',
    signed: 'signed',
    rejected: 'rejected',
    unknown: 'unknown',
  },
};
