import {
  downloads,
  links,
  navigation,
  permissions,
  requests,
  windows,
} from '../../../shared/page-asks.ts';

/**
 * Policy that limits what the page may load and do, even if a script gets into the page; sent with
 * every answer to the page.
 * @internal
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Components position popovers and list rows with style attributes, which cannot load anything.
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

/** Every feature of the browser's policy that gives access to a device or a person. */
const DENIED_FEATURES = [
  ...['accelerometer', 'gyroscope', 'magnetometer', 'compute-pressure', 'gamepad', 'keyboard-map'],
  ...['camera', 'microphone', 'display-capture', 'geolocation', 'idle-detection', 'local-fonts'],
  ...['usb', 'serial', 'hid', 'midi', 'xr-spatial-tracking', 'screen-wake-lock', 'fullscreen'],
  ...['clipboard-read', 'clipboard-write', 'storage-access', 'window-management'],
  ...['payment', 'publickey-credentials-create', 'publickey-credentials-get', 'otp-credentials'],
  ...['identity-credentials-get', 'encrypted-media', 'picture-in-picture', 'browsing-topics'],
];

/** Headers of every answer to the page, for files and bytes alike. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': DENIED_FEATURES.map((name) => `${name}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** File of the page; every screen is addressed after its `#`. */
const PAGE_FILE = 'index.html';

/**
 * Pattern of the paths of this program's files: nothing encoded, no parent folders, no hidden
 * files.
 */
const ASSET_PATH = /^\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;
const ORIGIN_PART_PATTERN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i;
const QUERY_START_PATTERN = /[?#]/;

/**
 * Whether `url` belongs to `origin`, such as `desk://app`. Empty addresses and `about:blank` do
 * not.
 */
export function isOurOrigin(url: string, origin: string): boolean {
  const asked = parseUrlOrUndefined(url);
  const ours = parseUrlOrUndefined(origin);
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

/** Whether `url` is the page of the desk on `origin`, on any screen. */
export function isOurPage(url: string, origin: string): boolean {
  return isOurOrigin(url, origin) && assetPath(url) === PAGE_FILE;
}

/**
 * Returns the file that `url` names, relative to the page's folder; `undefined` if its path is not
 * written exactly as the path of a file of this program could be. The path is matched before
 * decoding, so that nothing is decoded.
 */
export function assetPath(url: string): string | undefined {
  const [path = ''] = url.replace(ORIGIN_PART_PATTERN, '').split(QUERY_START_PATTERN, 1);
  if (path === '/' || path === '') return PAGE_FILE;
  return ASSET_PATH.test(path) ? path.slice(1) : undefined;
}

/**
 * Whether the page may request `url` (see `shared/page-asks.ts`). `data:` and `blob:` contain only
 * data that the page already has.
 */
export function mayRequest(url: string, method: string, origin: string): boolean {
  const asked = parseUrlOrUndefined(url);
  if (asked === undefined) return false;
  const isOwn = isOurOrigin(url, origin);
  return requests.some(({ from, methods, paths }) => {
    if (!methods.includes(method)) return false;
    if (from !== 'own') return asked.protocol === from;
    return isOwn && paths.some((path) => asked.pathname.startsWith(path));
  });
}

export function mayNavigate(url: string, origin: string): boolean {
  return isOurPage(url, origin) && navigation.some(({ name }) => name === assetPath(url));
}

export function mayDownload(url: string, origin: string): boolean {
  const path = parseUrlOrUndefined(url)?.pathname ?? '';
  return isOurOrigin(url, origin) && downloads.some(({ name }) => path.startsWith(name));
}

export function mayOpenWindow(url: string): boolean {
  return windows.some(({ name }) => name === url);
}

/** Whether the page may pass `url` to the system, for the program that opens such addresses. */
export function mayOpenLink(url: string): boolean {
  const scheme = parseUrlOrUndefined(url)?.protocol;
  return links.some(({ name }) => name === scheme);
}

/** Whether the page may have a permission, or a device, with this name. */
export function mayHavePermission(name: string): boolean {
  return permissions.some((permission) => permission.name === name);
}

function parseUrlOrUndefined(url: string): URL | undefined {
  return URL.parse(url) ?? undefined;
}
