import { AppError } from '../../../shared/errors.ts';
import { migrations } from './migrations/index.ts';

/** The version of the schema that this program works with. */
export const SCHEMA_VERSION = migrations.length;

/** The office is ahead of this program. */
export const newerOffice = (details: ErrorOptions = {}): AppError =>
  new AppError(
    'newer-data',
    'The office was brought up to date by a newer version of this program',
    details,
  );
