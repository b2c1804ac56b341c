import { m } from '../../ui/language.svelte.ts';
import { host } from '../../window/host.svelte.ts';

/** Sections of the settings, in order, with the settings by which a search finds them. */
const all = [
  { name: 'connections', title: m.settings_connections, terms: [m.connection_secret_v1] },
  { name: 'network', title: m.network_title, terms: [m.network_proxy, m.network_certificates] },
  { name: 'office', title: m.settings_office, terms: [] },
  { name: 'identities', title: m.settings_identities, terms: [] },
  {
    name: 'appearance',
    title: m.settings_appearance,
    terms: [m.settings_language, m.settings_theme, m.settings_density],
  },
  { name: 'sending', title: m.settings_sending, terms: [m.settings_hold] },
  {
    name: 'notifications',
    title: m.settings_notifications,
    terms: [m.settings_notify, m.settings_quiet, m.settings_digest],
  },
  {
    name: 'background',
    title: m.settings_background,
    terms: [m.settings_tray, m.settings_login],
  },
  {
    name: 'archive',
    title: m.settings_archive,
    terms: [m.settings_archive_folder, m.settings_archive_pattern],
  },
  { name: 'backups', title: m.backup_title, terms: [m.backup_run, m.backup_open] },
  { name: 'uploads', title: m.uploads_title, terms: [] },
  { name: 'privacy', title: m.settings_privacy, terms: [] },
  { name: 'takeout', title: m.takeout_title, terms: [] },
  { name: 'data', title: m.settings_data, terms: [m.settings_doctor, m.settings_data_folder] },
  { name: 'updates', title: m.updates_title, terms: [] },
  { name: 'shortcuts', title: m.settings_shortcuts, terms: [] },
  { name: 'about', title: m.settings_about, terms: [m.licences_packages] },
] as const;

export type SettingsSection = (typeof all)[number];

/** Sections that this host has. */
export function settingsSections(): readonly SettingsSection[] {
  const features = host.value?.features;
  const hasBackground = features?.tray === true || features?.loginStart === true;
  return all.filter(({ name }) => name !== 'background' || hasBackground);
}
