import { type Findings, textOrNullIfEmpty } from './findings.ts';
import { validateLocale } from '../../text/locales.ts';
import { validationSentences } from '../../text/verdict.ts';
import { validateZone } from '../../time/zones.ts';

interface Regional {
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
}

/**
 * Checks language and time zone (API v1, "Locales" and "Time zone"). For a language other than its
 * eleven, the service silently uses another one, so messages would have the wrong language.
 */
export function checkRegional(one: Regional, at: string, findings: Findings): void {
  const locale = textOrNullIfEmpty(one.locale);
  if (locale !== null) {
    const judged = validateLocale(locale);
    const isExact = judged.verdict === 'fine' && judged.value === locale;
    if (!isExact) {
      const message = 'This is not one of the eleven languages of the service';
      findings.error(`${at}.locale`, 'format', message);
    }
  }
  const zone = textOrNullIfEmpty(one.timeZone);
  if (zone === null) return;
  const judged = validateZone(zone);
  if (judged.verdict === 'wrong' || judged.value !== zone) {
    findings.error(`${at}.timeZone`, 'format', 'This is not a known time zone');
  } else if (judged.verdict === 'suspicious') {
    findings.warn(`${at}.timeZone`, 'format', validationSentences[judged.why]);
  }
}
