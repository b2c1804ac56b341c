import type { App, Session, WebContents } from 'electron';
import {
  mayDownload,
  mayNavigate,
  mayHavePermission,
  mayOpenLink,
  mayOpenWindow,
  mayRequest,
} from '../page/policy.ts';

interface GuardOptions {
  /** Scheme and host of our page, such as `desk://app`. */
  readonly origin: string;
  /**
   * Whether the program is not packaged: the developer tools then load their own files into the
   * same session.
   */
  readonly hasDevTools: boolean;
}

/**
 * Limits every page and session of Electron to the table of allowed requests. Must be called before
 * Electron is ready: pages and sessions are guarded as they are created.
 */
export function guardEverything(app: App, options: GuardOptions): void {
  // No process may look up a name or open a connection: our page needs no network.
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  app.on('session-created', (session) => guardSession(session, options));
  app.on('web-contents-created', (_event, contents) => guardContents(contents, options.origin));
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, answer) => {
    event.preventDefault();
    answer(false);
  });
  app.on('select-client-certificate', (event, _contents, _url, _list, answer) => {
    event.preventDefault();
    answer();
  });
  app.on('login', (event, _contents, _details, _info, answer) => {
    event.preventDefault();
    answer();
  });
}

/** Limits every page to its own address. */
function guardContents(contents: WebContents, origin: string): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.on('will-navigate', (event) => preventUnless(mayNavigate(event.url, origin), event));
  contents.on('will-frame-navigate', (event) =>
    preventUnless(mayNavigate(event.url, origin), event),
  );
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('select-bluetooth-device', (event, _devices, answer) => {
    event.preventDefault();
    answer('');
  });
  contents.setWindowOpenHandler(({ url }) => ({ action: mayOpenWindow(url) ? 'allow' : 'deny' }));
}

/** Denies every device, permission and request that the table does not allow. */
function guardSession(session: Session, { origin, hasDevTools }: GuardOptions): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const link = 'externalURL' in details ? (details.externalURL ?? '') : '';
    answer(permission === 'openExternal' ? mayOpenLink(link) : mayHavePermission(permission));
  });
  session.setPermissionCheckHandler((_contents, permission) => mayHavePermission(permission));
  session.setDevicePermissionHandler(({ deviceType }) => mayHavePermission(deviceType));
  // macOS pairs devices without Electron, so Electron has no such handler on macOS.
  if (process.platform !== 'darwin') {
    session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
  }
  session.on('select-usb-device', (event, _details, answer) => {
    event.preventDefault();
    answer();
  });
  session.on('select-hid-device', (event, _details, answer) => {
    event.preventDefault();
    answer();
  });
  session.on('select-serial-port', (event, _ports, _contents, answer) => {
    event.preventDefault();
    answer('');
  });
  session.on('will-download', (event, item) => {
    if (!mayDownload(item.getURL(), origin)) event.preventDefault();
  });
  session.webRequest.onBeforeRequest(({ url, method }, answer) => {
    const isTool = hasDevTools && url.startsWith('devtools://');
    answer({ cancel: !isTool && !mayRequest(url, method, origin) });
  });
}

function preventUnless(isAllowed: boolean, event: { preventDefault(): void }): void {
  if (!isAllowed) event.preventDefault();
}
