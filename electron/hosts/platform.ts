import type { HostDescription } from '../../shared/contract/host.ts';

/** The name that the screens use for a system. */
export function platformName(platform: NodeJS.Platform): HostDescription['platform'] {
  if (platform === 'darwin') return 'mac';
  return platform === 'win32' ? 'windows' : 'linux';
}

/** BCP 47 tag of the user's system, read from the formatter that is created fastest. */
export function systemLocale(): string {
  return new Intl.PluralRules().resolvedOptions().locale;
}
