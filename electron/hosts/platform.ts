import type { HostDescription } from '../../shared/contract/host.ts';

/** The name the screens use for a system. */
export function platformName(platform: NodeJS.Platform): HostDescription['platform'] {
  if (platform === 'darwin') return 'mac';
  return platform === 'win32' ? 'windows' : 'linux';
}

/** BCP 47, of the person's system. */
export function systemLocale(): string {
  return Intl.DateTimeFormat().resolvedOptions().locale;
}
