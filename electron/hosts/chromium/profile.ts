import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { links } from '../../../shared/page-asks.ts';

/** Value of a content setting that is denied without a question. */
const BLOCK_SETTING = 2;

/** Addresses that a request or a page may have at all; the host answers or ends each request. */
const BROWSED_URL_PATTERNS = ['https:*', 'http:*', 'about:*', 'blob:*', 'data:*'];

/**
 * Preferences of the profile. The browser could store the user's input in four ways; all are off,
 * because the desk stores it encrypted. Addresses of other schemes would start the system's program
 * for them, some without a question; the browser's own URL list blocks them.
 */
const PREFERENCES = {
  policy: {
    url_blocklist: ['*'],
    url_allowlist: [...BROWSED_URL_PATTERNS, ...links.map(({ name }) => `${name}*`)],
  },
  custom_handlers: { enabled: false },
  profile: {
    default_content_setting_values: {
      file_system_read_guard: BLOCK_SETTING,
      file_system_write_guard: BLOCK_SETTING,
      bluetooth_guard: BLOCK_SETTING,
      bluetooth_scanning: BLOCK_SETTING,
      hid_guard: BLOCK_SETTING,
      serial_guard: BLOCK_SETTING,
      usb_guard: BLOCK_SETTING,
    },
  },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  credentials_enable_service: false,
  browser: { enable_spellchecking: false },
  translate: { enabled: false },
} as const;

/**
 * Options of the removal. It is retried, because the browser writes its last files while it ends.
 */
const REMOVAL_OPTIONS = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

/** The browser's own folder for one run. */
export interface Profile {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Creates a new profile inside `parent`, and removes profiles whose program ended without removing
 * them. A browser stores titles, addresses and forms to restore its session, so no profile may
 * remain after its run.
 */
export async function createProfile(parent: string): Promise<Profile> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    if (!isRunning(Number.parseInt(name, 10))) await rm(path.join(parent, name), REMOVAL_OPTIONS);
  }
  const folder = await mkdtemp(path.join(parent, `${process.pid}-`));
  await mkdir(path.join(folder, 'Default'), { mode: 0o700 });
  await writeFile(path.join(folder, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  return { folder, remove: () => rm(folder, REMOVAL_OPTIONS) };
}

function isRunning(pid: number): boolean {
  // Zero would test this program's own process group.
  if (!(pid > 0)) return false;
  try {
    // Signal 0 only tests whether the process exists.
    return process.kill(pid, 0);
  } catch (cause) {
    // EPERM means that the process runs, and belongs to another account.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}
