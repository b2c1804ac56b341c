import { expect, it } from 'vitest';
import { forecastText } from '../../../../renderer/features/intake/words.ts';
import type { PlannedIntake } from '../../../../shared/contract/intake.ts';

const draft = (file: string): PlannedIntake => ({ file, what: 'draft', title: file });

it('the forecast of a watched folder counts the files by their result', () => {
  const files: readonly PlannedIntake[] = [
    draft('Lease.pdf'),
    draft('Loan.pdf'),
    { file: 'Late.pdf', what: 'waits', why: 'being-written' },
  ];
  expect(forecastText({ files: [...files], total: 3 })).toBe(
    'Would create 2 drafts now · waiting: 1',
  );
  expect(forecastText({ files: [], total: 0 })).toBe('The folder has no files to import.');
});

it('the forecast of a folder with many files shows how many files it does not count', () => {
  expect(forecastText({ files: [draft('Lease.pdf')], total: 3 })).toBe(
    'Would create 1 draft now · More files: 2',
  );
});
