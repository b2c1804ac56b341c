import { describe, expect, it } from 'vitest';
import {
  assetPath,
  CONTENT_SECURITY_POLICY,
  isOurPage,
} from '../../../electron/hosts/page/policy.ts';

const ORIGIN = 'desk://app';

describe('our page', () => {
  it.each(['desk://app/', 'desk://app/index.html', 'desk://app/index.html#/drafts', 'desk://app'])(
    '%s is ours',
    (url) => {
      expect(isOurPage(url, ORIGIN)).toBe(true);
    },
  );

  it.each([
    '',
    'about:blank',
    'about:srcdoc',
    'desk://evil/index.html',
    'desk://app.evil/index.html',
    'desk://app:81/index.html',
    'desk://someone@app/index.html',
    'desk://app@evil/index.html',
    'desk:app/index.html',
    'desk:///index.html',
    'desks://app/index.html',
    'https://app/index.html',
    'file:///index.html',
    'file:///opt/desk://app/index.html',
    'data:text/html,desk://app/index.html',
    'blob:desk://app/8b1c',
    'javascript:desk://app/index.html',
    'desk://app/assets/other.html',
    'desk://app/../index.html',
    'desk://app/%2e%2e/index.html',
    'desk://app/bytes/index.html',
    'not a url',
  ])('"%s" is not ours', (url) => {
    expect(isOurPage(url, ORIGIN)).toBe(false);
  });
});

describe('a file of the page', () => {
  it.each([
    ['desk://app/', 'index.html'],
    ['desk://app/index.html?x=1#/drafts', 'index.html'],
    ['desk://app/assets/index-Bx3_z-9.js', 'assets/index-Bx3_z-9.js'],
    ['https://desk.test/assets/pdf.worker-1.mjs', 'assets/pdf.worker-1.mjs'],
  ])('%s is requested as %s', (url, file) => {
    expect(assetPath(url)).toBe(file);
  });

  it.each([
    'desk://app/../package.json',
    'desk://app/assets/../../package.json',
    'desk://app/%2e%2e/package.json',
    'desk://app/%2E%2e/package.json',
    'desk://app/assets/%2e%2e%2fpackage.json',
    'desk://app/..%2fpackage.json',
    'desk://app/..\\package.json',
    'desk://app/..%5cpackage.json',
    'desk://app/%5C%5Cserver%5Cshare',
    'desk://app\\..\\package.json',
    'desk://app//etc/passwd',
    'desk://app/./index.html',
    'desk://app/.env',
    'desk://app/assets/.hidden',
    'desk://app/index.html%00.js',
    'desk://app/index.html\0.js',
    'desk://app/index.html%20',
    'desk://app/C:/Windows/win.ini',
    'desk://app/assets/',
    'desk://app/índex.html',
  ])('%j is refused', (url) => {
    expect(assetPath(url)).toBeUndefined();
  });
});

it('the policy lets the page load nothing but its own files, and run nothing inline', () => {
  const rules = new Map(
    CONTENT_SECURITY_POLICY.split('; ').map((rule) => {
      const [name = '', ...sources] = rule.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  expect(rules.get('default-src')).toBe("'none'");
  expect(rules.get('script-src')).toBe("'self'");
  expect(rules.get('object-src')).toBe("'none'");
  expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe-eval|https?:|\*/);
  expect([...rules].filter(([, sources]) => sources.includes('unsafe-inline'))).toEqual([
    ['style-src-attr', "'unsafe-inline'"],
  ]);
});
