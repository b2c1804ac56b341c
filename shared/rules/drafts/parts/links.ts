import * as z from 'zod';
import type { DraftBodyV1 } from '../../../contract/drafts.ts';
import { type Findings, isBlank, warnOfRepeats } from './findings.ts';

const WebAddress = z.url({ protocol: /^https?$/ });

/** Checks the addresses that a party's browser opens after the web flow (API v1, "Link"). */
export function checkLinksV1(links: DraftBodyV1['links'] = [], findings: Findings): void {
  for (const [index, { href }] of links.entries()) {
    checkWebAddress(href, `links.${index}.href`, findings);
  }
  const types = links.map(({ type }) => type);
  warnOfRepeats(types, (index) => `links.${index}.type`, findings);
}

/** Checks for an http or https URL: a browser could run other URLs, or open them from the disk. */
export function checkWebAddress(text: string, at: string, findings: Findings): void {
  if (isBlank(text)) findings.error(at, 'required');
  else if (/\s/.test(text) || !WebAddress.safeParse(text).success) {
    findings.error(at, 'format', 'This must be a full web address, https://…');
  } else if (!/^https:/i.test(text)) findings.warn(at, 'insecure');
}
