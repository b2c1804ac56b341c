import type { ReportWords } from '../../contract/reports.ts';

/** For text that programs also read, in every window language: the command line, and indexes. */
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
