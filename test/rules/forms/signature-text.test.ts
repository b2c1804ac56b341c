import { describe, expect, it } from 'vitest';
import {
  looksLikePlaceholder,
  signatureOf,
  signatureText,
} from '../../../shared/rules/forms/signature-text.ts';

describe('a text that the service would read as a placeholder', () => {
  it.each([
    signatureText(0),
    'before {{@agr.parties[0].signature}} behind',
    '{{ @AGR.title}}',
    '｛｛@agr.parties[0].signature｝｝',
    '{{＠agr.parties[0].signature}}',
    '{{@ａｇｒ．parties[0].signature}}',
    '｛{　@agr.parties[1].signature}}',
  ])(
    'is reported, also in full-width characters, which a service may convert: %s (TE-U03)',
    (text) => {
      expect(looksLikePlaceholder(text)).toBe(true);
    },
  );

  it.each(['', 'agr.', '{@agr.title}', '{{name}}', 'asa@agr.example', '{{ @other.title}}'])(
    'is not reported for "%s" (TE-U03)',
    (text) => {
      expect(looksLikePlaceholder(text)).toBe(false);
    },
  );

  it('places the signature of a party only with exactly its placeholder (TE-U03)', () => {
    expect([signatureOf(signatureText(0)), signatureOf(signatureText(12))]).toEqual([0, 12]);
    expect(signatureOf('｛｛@agr.parties[0].signature｝｝')).toBeNull();
    expect(signatureOf(` ${signatureText(0)}`)).toBeNull();
  });
});
