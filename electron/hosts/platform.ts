import type { HostDescription } from '../../shared/contract/host.ts';

/** Returns the name that the screens use for a system. */
export function platformName(platform: NodeJS.Platform): HostDescription['platform'] {
  if (platform === 'darwin') return 'mac';
  return platform === 'win32' ? 'windows' : 'linux';
}

/** Returns the BCP 47 tag of the user's system, read from the formatter that is created fastest. */
export function systemLocale(): string {
  return new Intl.PluralRules().resolvedOptions().locale;
}
