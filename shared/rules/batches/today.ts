import { instantsOf, formatLongDay } from '../time/days.ts';
import { formatV1Time } from '../time/wire-time.ts';

/**
 * Formats an ISO day in the template's format, such as `dd.MM.yyyy`. The format `v1` means the
 * day's last minute in Sweden, as API v1 writes it. For an unknown format, returns the ISO day.
 */
export function dayText(day: string, format: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  if (format === 'long') return formatLongDay(day);
  if (format === 'v1') {
    const [at] = instantsOf(`${day} 23:59`);
    return at === undefined ? day : formatV1Time(at);
  }
  return /yyyy/.test(format)
    ? format.replace('yyyy', year).replace('MM', month).replace('dd', date)
    : day;
}
