import type { ScheduleObstacle } from '../../../shared/contract/host.ts';
import { m } from '../../ui/language.svelte.ts';

/** Reasons why the window cannot create the scheduled task of the system. */
export const obstacleTexts = {
  'no-scheduler': m.schedule_why_no_scheduler,
  'no-keychain': m.schedule_why_no_keychain,
  passphrase: m.schedule_why_passphrase,
  demo: m.schedule_why_demo,
  isolated: m.schedule_why_isolated,
  'other-data': m.schedule_why_other_data,
} as const satisfies Record<ScheduleObstacle, () => string>;
