import { describe, expect, it } from 'vitest';
import { mailDraft } from '../../../shared/rules/text/mail-draft.ts';

const encoding = {
  utf8: (text: string) => new TextEncoder().encode(text),
  base64: (data: Uint8Array) => Buffer.from(data).toString('base64'),
};
const draftOf = (subject: string, text: string): string => mailDraft({ subject, text }, encoding);

/** Decodes an email as a mail program does (RFC 2047): adjacent encoded words are joined. */
function read(mail: string): { readonly subject: string; readonly text: string } {
  const [head = '', body = ''] = mail.split('\r\n\r\n');
  const [, folded = ''] = /^Subject: (.*(?:\r\n .*)*)$/m.exec(head) ?? [];
  const words = [...folded.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)];
  const decode = (text = '') => Buffer.from(text, 'base64').toString();
  return { subject: words.map(([, word]) => decode(word)).join(''), text: decode(body) };
}

describe('an email draft', () => {
  it('has its subject and text in any script, and no recipient', () => {
    const subject = 'Avtal sedan 24 nov. 2026 kl. 08:00 – ÅÄÖ ź 😀 '.repeat(4).trim();
    const mail = draftOf(subject, 'Signerade: 3\n- Hyresavtal “Åsa”');
    expect(read(mail)).toEqual({ subject, text: 'Signerade: 3\r\n- Hyresavtal “Åsa”' });
    expect(mail).toMatch(/^X-Unsent: 1\r\n/);
    expect(mail).not.toMatch(/^(?:to|cc|bcc|from):/im);
  });

  it('has short ASCII lines that every mail program accepts', () => {
    const mail = draftOf('å'.repeat(150), 'ö'.repeat(5000));
    for (const line of mail.split('\r\n')) expect(line).toMatch(/^[\x20-\x7e]{0,76}$/);
  });

  it('prevents a text from starting a new header', () => {
    const mail = draftOf('Hi\r\nBcc: spy@example.com', 'x');
    expect(mail).not.toContain('Bcc');
    expect(read(mail).subject).toBe('Hi Bcc: spy@example.com');
  });
});
