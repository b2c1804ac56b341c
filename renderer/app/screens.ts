import ArchiveIcon from '@lucide/svelte/icons/archive';
import ChartBar from '@lucide/svelte/icons/chart-bar';
import FileStack from '@lucide/svelte/icons/file-stack';
import CircleHelp from '@lucide/svelte/icons/circle-question-mark';
import FilePen from '@lucide/svelte/icons/file-pen';
import Inbox from '@lucide/svelte/icons/inbox';
import ListChecks from '@lucide/svelte/icons/list-checks';
import Send from '@lucide/svelte/icons/send';
import SettingsIcon from '@lucide/svelte/icons/settings';
import Signature from '@lucide/svelte/icons/signature';
import Users from '@lucide/svelte/icons/users';
import Table from '@lucide/svelte/icons/table-2';
import type { Component } from 'svelte';
import { m } from '../ui/language.svelte.ts';
import type { ScreenName } from '../window/router.svelte.ts';
import Agreements from '../features/agreements/Screen.svelte';

export interface Screen {
  readonly name: ScreenName;
  /**
   * Loads the screen. Only the first screen is in the page's bundle; the others load after it is
   * drawn.
   */
  readonly load: () => Promise<{ readonly default: Component }>;
  readonly title: () => string;
  readonly icon: typeof Inbox;
  /**
   * Keys that open the screen, in the syntax of tinykeys. A digit belongs to one screen
   * permanently, even if other screens are hidden.
   */
  readonly keys: string;
}

/** Screens in the order of the rail. */
export const screens: readonly Screen[] = [
  {
    name: 'agreements',
    load: async () => ({ default: Agreements }),
    title: m.screen_agreements,
    icon: Inbox,
    keys: '$mod+Digit1',
  },
  {
    name: 'board',
    load: () => import('../features/board/Screen.svelte'),
    title: m.screen_board,
    icon: ChartBar,
    keys: '$mod+Shift+b',
  },
  {
    name: 'drafts',
    load: () => import('../features/drafts/Screen.svelte'),
    title: m.screen_drafts,
    icon: FilePen,
    keys: '$mod+Digit2',
  },
  {
    name: 'outbox',
    load: () => import('../features/outbox/Screen.svelte'),
    title: m.screen_outbox,
    icon: Send,
    keys: '$mod+Digit3',
  },
  {
    name: 'templates',
    load: () => import('../features/templates/Screen.svelte'),
    title: m.screen_templates,
    icon: FileStack,
    keys: '$mod+Digit4',
  },
  {
    name: 'batch',
    load: () => import('../features/batches/Screen.svelte'),
    title: m.screen_batch,
    icon: Table,
    keys: '$mod+Digit5',
  },
  {
    name: 'signing',
    load: () => import('../features/signing/Screen.svelte'),
    title: m.screen_signing,
    icon: Signature,
    keys: '$mod+Digit6',
  },
  {
    name: 'archive',
    load: () => import('../features/archive/Screen.svelte'),
    title: m.screen_archive,
    icon: ArchiveIcon,
    keys: '$mod+Digit7',
  },
  {
    name: 'automation',
    load: () => import('../features/automation/Screen.svelte'),
    title: m.screen_automation,
    icon: ListChecks,
    keys: '$mod+Digit8',
  },
  {
    name: 'people',
    load: () => import('../features/people/Screen.svelte'),
    title: m.screen_people,
    icon: Users,
    keys: '$mod+Digit9',
  },
  {
    name: 'settings',
    load: () => import('../features/settings/Screen.svelte'),
    title: m.screen_settings,
    icon: SettingsIcon,
    keys: '$mod+,',
  },
  {
    name: 'help',
    load: () => import('../features/help/Screen.svelte'),
    title: m.screen_help,
    icon: CircleHelp,
    keys: 'F1',
  },
];
