/** What the page may load and do, whatever gets into it; sent with every answer to the page. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Components place popovers and list rows with style attributes, which can load nothing.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every answer to the page, files and bytes alike. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The page itself; every screen lives behind its `#`. */
const PAGE_FILE = 'index.html';

/** One folder or file name of ours: nothing that decodes, climbs or hides. */
const ASSET_PATH = /^\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;
const BEFORE_PATH = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i;
const AFTER_PATH = /[?#].*$/s;

/** Whether `url` lies on `origin`, such as `desk://app`. Empty and `about:blank` do not. */
export function isOurOrigin(url: string, origin: string): boolean {
  const asked = parse(url);
  const ours = parse(origin);
  return (
    asked !== undefined &&
    ours !== undefined &&
    // `URL.origin` is "null" for every scheme that browsers do not know.
    asked.protocol === ours.protocol &&
    asked.host === ours.host &&
    asked.username === '' &&
    asked.password === ''
  );
}

/** Whether `url` is the page of the desk on `origin`, on whatever screen. */
export function isOurPage(url: string, origin: string): boolean {
  return isOurOrigin(url, origin) && assetPath(url) === PAGE_FILE;
}

/**
 * The file that `url` asks for, relative to the page's folder; `undefined` when its path is not
 * written exactly as a file of ours could be. Read before decoding, so that nothing is decoded.
 */
export function assetPath(url: string): string | undefined {
  const path = url.replace(BEFORE_PATH, '').replace(AFTER_PATH, '');
  if (path === '/' || path === '') return PAGE_FILE;
  return ASSET_PATH.test(path) ? path.slice(1) : undefined;
}

function parse(url: string): URL | undefined {
  return URL.parse(url) ?? undefined;
}
