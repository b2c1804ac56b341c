import { m } from '../../ui/language.svelte.ts';
import { hasWords } from '../../ui/fold.ts';
import { host } from '../../window/host.svelte.ts';

/** Groups of sections, in order. */
const groups = [
  { name: 'you', title: m.settings_group_you },
  { name: 'sending', title: m.settings_group_sending },
  { name: 'signing', title: m.settings_group_signing },
  { name: 'office', title: m.settings_group_office },
  { name: 'computer', title: m.settings_group_computer },
] as const;

/** Sections of the settings, in order, with the labels by which a search finds them. */
const all = [
  {
    name: 'appearance',
    group: 'you',
    title: m.settings_appearance,
    terms: [m.settings_theme, m.settings_density, m.settings_language],
  },
  {
    name: 'notifications',
    group: 'you',
    title: m.settings_notifications,
    terms: [
      m.settings_notify,
      m.settings_notify_ended,
      m.settings_notify_batch,
      m.settings_notify_decision,
      m.settings_notify_archive,
      m.settings_notify_digest,
      m.settings_waiting,
      m.settings_quiet,
      m.settings_quiet_on,
      m.settings_digest,
      m.settings_digest_on,
    ],
  },
  {
    name: 'shortcuts',
    group: 'you',
    title: m.settings_shortcuts,
    terms: [m.palette_go, m.palette_do, m.palette_list, m.sheet_lists],
  },
  {
    name: 'connections',
    group: 'sending',
    title: m.settings_connections,
    terms: [
      m.connection_address,
      m.connection_environment,
      m.connection_org_no,
      m.connection_reach,
      m.connection_secret_v1,
      m.connection_test,
    ],
  },
  { name: 'sending', group: 'sending', title: m.settings_sending, terms: [m.settings_hold] },
  {
    name: 'uploads',
    group: 'sending',
    title: m.uploads_title,
    terms: [m.uploads_add, m.uploads_only_orphans],
  },
  {
    name: 'identities',
    group: 'signing',
    title: m.settings_identities,
    terms: [m.settings_identity_add, m.settings_identity_number, m.settings_identity_role],
  },
  {
    name: 'archive',
    group: 'signing',
    title: m.settings_archive,
    terms: [m.settings_archive_folder, m.settings_archive_pattern, m.settings_archive_index],
  },
  {
    name: 'office',
    group: 'office',
    title: m.settings_office,
    terms: [m.office_way_make, m.office_way_join, m.office_invite, m.office_seats, m.office_share],
  },
  {
    name: 'network',
    group: 'computer',
    title: m.network_title,
    terms: [
      m.network_proxy,
      m.network_address,
      m.network_exceptions,
      m.network_finds_links,
      m.network_certificates,
      m.network_trust,
    ],
  },
  {
    name: 'background',
    group: 'computer',
    title: m.settings_background,
    terms: [m.settings_tray, m.settings_login],
  },
  {
    name: 'backups',
    group: 'computer',
    title: m.backup_title,
    terms: [m.backup_run, m.backup_automatic, m.backup_open, m.backup_move, m.backup_new_words],
  },
  {
    name: 'privacy',
    group: 'computer',
    title: m.settings_privacy,
    terms: [
      m.privacy_limits,
      m.privacy_kind_copies,
      m.privacy_kind_sheets,
      m.privacy_kind_sent,
      m.privacy_kind_trash,
      m.privacy_kind_logs,
      m.privacy_room,
      m.privacy_compact,
    ],
  },
  {
    name: 'takeout',
    group: 'computer',
    title: m.takeout_title,
    terms: [m.takeout_write_title, m.takeout_folder, m.takeout_read_title, m.takeout_read_folder],
  },
  {
    name: 'data',
    group: 'computer',
    title: m.settings_data,
    terms: [
      m.settings_doctor,
      m.settings_data_folder,
      m.settings_doctor_store,
      m.settings_doctor_schedulers,
      m.rescue_open,
    ],
  },
  {
    name: 'updates',
    group: 'computer',
    title: m.updates_title,
    terms: [m.updates_check, m.updates_address, m.updates_key, m.updates_daily],
  },
  {
    name: 'about',
    group: 'computer',
    title: m.settings_about,
    terms: [m.settings_version, m.licences_own, m.licences_packages, m.licences_search],
  },
] as const;

export type SettingsSection = (typeof all)[number];

/** Section that a search found, with its labels that contain the words. */
export interface FoundSection {
  readonly section: SettingsSection;
  readonly labels: readonly string[];
}

export interface SectionGroup {
  readonly name: (typeof groups)[number]['name'];
  readonly title: string;
  readonly found: readonly FoundSection[];
}

/** Sections that this host has. */
export function settingsSections(): readonly SettingsSection[] {
  const features = host.value?.features;
  const hasBackground = features?.tray === true || features?.loginStart === true;
  return all.filter(({ name }) => name !== 'background' || hasBackground);
}

/** Sections whose title, or one of their labels, contains every word; all without words. */
export function findSections(words: readonly string[]): readonly FoundSection[] {
  return settingsSections().flatMap((section) => {
    if (words.length === 0) return [{ section, labels: [] }];
    const labels = section.terms.map((term) => term()).filter((term) => hasWords(term, words));
    return labels.length > 0 || hasWords(section.title(), words) ? [{ section, labels }] : [];
  });
}

/** The found sections under the titles of their groups; a group without sections is omitted. */
export const groupSections = (found: readonly FoundSection[]): readonly SectionGroup[] =>
  groups
    .map(({ name, title }) => ({
      name,
      title: title(),
      found: found.filter(({ section }) => section.group === name),
    }))
    .filter((group) => group.found.length > 0);
