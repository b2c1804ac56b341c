import ArchiveIcon from '@lucide/svelte/icons/archive';
import FilePen from '@lucide/svelte/icons/file-pen';
import Inbox from '@lucide/svelte/icons/inbox';
import Send from '@lucide/svelte/icons/send';
import SettingsIcon from '@lucide/svelte/icons/settings';
import Signature from '@lucide/svelte/icons/signature';
import type { Component } from 'svelte';
import { m } from '../language.svelte.ts';
import type { ScreenName } from '../state/router.svelte.ts';
import Agreements from './Agreements.svelte';
import Archive from './Archive.svelte';
import Drafts from './Drafts.svelte';
import Outbox from './Outbox.svelte';
import Settings from './Settings.svelte';
import SigningQueue from './SigningQueue.svelte';

export interface Screen {
  readonly name: ScreenName;
  readonly component: Component;
  readonly title: () => string;
  readonly icon: typeof Inbox;
  /** As tinykeys writes them. A digit belongs to its screen for good, whatever else is shown. */
  readonly keys: string;
}

/** The screens, in the order of the rail. */
export const screens: readonly Screen[] = [
  {
    name: 'agreements',
    component: Agreements,
    title: m.screen_agreements,
    icon: Inbox,
    keys: '$mod+Digit1',
  },
  {
    name: 'drafts',
    component: Drafts,
    title: m.screen_drafts,
    icon: FilePen,
    keys: '$mod+Digit2',
  },
  {
    name: 'outbox',
    component: Outbox,
    title: m.screen_outbox,
    icon: Send,
    keys: '$mod+Digit3',
  },
  {
    name: 'signing',
    component: SigningQueue,
    title: m.screen_signing,
    icon: Signature,
    keys: '$mod+Digit6',
  },
  {
    name: 'archive',
    component: Archive,
    title: m.screen_archive,
    icon: ArchiveIcon,
    keys: '$mod+Digit7',
  },
  {
    name: 'settings',
    component: Settings,
    title: m.screen_settings,
    icon: SettingsIcon,
    keys: '$mod+,',
  },
];
