import type { HostDescription } from '../../shared/contract/host.ts';

/** The name the screens use for a system. */
export function platformName(platform: NodeJS.Platform): HostDescription['platform'] {
  if (platform === 'darwin') return 'mac';
  return platform === 'win32' ? 'windows' : 'linux';
}

/** BCP 47, of the person's system; asked of the formatter that is made the quickest. */
export function systemLocale(): string {
  return new Intl.PluralRules().resolvedOptions().locale;
}
