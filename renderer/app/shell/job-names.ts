import type { JobKind } from '../../../shared/contract/jobs.ts';
import { m } from '../../ui/language.svelte.ts';

/** Names of running jobs, for the window and the tray icon. */
export const jobNames = {
  'sync-agreements': m.activity_job_sync,
  'review-agreement': m.activity_job_review,
  'sign-agreements': m.activity_job_sign,
  'archive-agreements': m.activity_job_archive,
  'verify-archive': m.activity_job_verify,
  'bag-archive': m.activity_job_bag,
  'revoke-agreements': m.activity_job_revoke,
  'remove-agreements': m.activity_job_remove,
  'remind-parties': m.activity_job_remind,
  'set-expiry': m.activity_job_expiry,
  'remind-by-rule': m.activity_job_remind,
  'take-in-files': m.activity_job_intake,
  'correct-addresses': m.activity_job_correct,
  'arm-batch': m.job_arm_batch,
  'write-report': m.activity_job_report,
  'save-copies': m.activity_job_copies,
  'copy-agreement': m.activity_job_copy_agreement,
  'prepare-update': m.activity_job_update,
  'make-backup': m.activity_job_backup,
  'apply-retention': m.activity_job_retention,
  'export-person': m.activity_job_person,
  'export-data': m.activity_job_takeout,
  'import-data': m.activity_job_import,
  'compact-data': m.activity_job_compact,
  'move-desk': m.activity_job_move,
  'find-fields': m.activity_job_find_fields,
} as const satisfies Record<JobKind, () => string>;
