import { describe, expect, it } from 'vitest';
import { FakeWebContents } from '../../support/fakes/fake-electron.ts';
import { startWindow } from '../../support/desks/started-window.ts';

const OURS = 'desk://app/index.html';

/** Names of all permissions that Electron's handlers know, and some unknown names. */
const PERMISSIONS = [
  'accessibility-events',
  'ar',
  'background-fetch',
  'background-sync',
  'bluetooth',
  'camera-pan-tilt-zoom',
  'captured-surface-control',
  'clipboard-read',
  'clipboard-sanitized-write',
  'deprecated-sync-clipboard-read',
  'display-capture',
  'fileSystem',
  'fullscreen',
  'geolocation',
  'hand-tracking',
  'hid',
  'idle-detection',
  'keyboardLock',
  'local-fonts',
  'local-network-access',
  'media',
  'mediaKeySystem',
  'midi',
  'midiSysex',
  'nfc',
  'notifications',
  'openExternal',
  'payment-handler',
  'periodic-background-sync',
  'persistent-storage',
  'pointerLock',
  'screen-wake-lock',
  'sensors',
  'serial',
  'smart-card',
  'speaker-selection',
  'storage-access',
  'top-level-storage-access',
  'unknown',
  'usb',
  'vr',
  'web-printing',
  'window-management',
  '',
];

const OTHER_ADDRESSES = [
  'about:blank',
  'blob:desk://app/x',
  'chrome://settings',
  'data:text/html,x',
  'desk://evil/index.html',
  'desk://app/bytes/out/1',
  'desk://app/../index.html',
  'desk://user@app/index.html',
  'file:///etc/passwd',
  'ftp://example.com/',
  'http://example.com/',
  'https://app/index.html',
  'https://example.com/',
  'javascript:alert(1)',
  'mailto:ada@example.com',
  'ms-msdt:/id',
  'signing-desk://x',
  'tel:112',
  'view-source:desk://app/index.html',
  'ws://example.com/',
  '',
];

/** Returns the window's session, and the default session, which has no partition. */
async function sessions() {
  const { electron, session } = await startWindow();
  return [session, electron.seen.createSession('default')];
}

describe('in every session, the page may not', () => {
  it.each(PERMISSIONS)('have the permission %j (SEC-M4)', async (permission) => {
    for (const session of await sessions()) {
      const answers: unknown[] = [];
      const answer = (isAllowed: unknown) => answers.push(isAllowed);
      for (const externalURL of ['mailto:a@b.example', 'https://example.com/', undefined]) {
        session.handlers.call('permissionRequest', null, permission, answer, { externalURL });
      }
      answers.push(session.handlers.call('permissionCheck', null, permission, OURS, {}));
      expect(answers).toEqual([false, false, false, false]);
    }
  });

  it.each(['usb', 'hid', 'serial', 'bluetooth', 'midi'])(
    'have a device: %s (SEC-M4)',
    async (deviceType) => {
      for (const session of await sessions()) {
        const device = { deviceType, origin: OURS, device: {} };
        expect(session.handlers.call('devicePermission', device)).toBe(false);
      }
    },
  );

  it.each([
    ['select-usb-device', [{ deviceList: [{ deviceId: '1' }] }], undefined],
    ['select-hid-device', [{ deviceList: [{ deviceId: '1' }] }], undefined],
    ['select-serial-port', [[{ portId: '1' }], null], ''],
  ])('be given one of the devices at %s (SEC-M4)', async (event, args, given) => {
    for (const session of await sessions()) {
      const seen: unknown[] = [];
      const prevent = { preventDefault: () => seen.push('prevented') };
      session.emit(event, prevent, ...args, (device: unknown) => seen.push(device));
      expect(seen).toEqual(['prevented', given]);
    }
  });

  it.skipIf(process.platform === 'darwin')('pair a Bluetooth device (SEC-M4)', async () => {
    for (const session of await sessions()) {
      const answers: unknown[] = [];
      session.handlers.call('bluetoothPairing', {}, (answer: unknown) => answers.push(answer));
      expect(answers).toEqual([{ confirmed: false }]);
    }
  });

  it('ask for anything but its own files and bytes (SEC-M4)', async () => {
    for (const session of await sessions()) {
      const cancels = (url: string, method = 'GET'): unknown => {
        let decision: unknown;
        const answer = (given: unknown) => (decision = given);
        session.handlers.call('beforeRequest', { url, method }, answer);
        return decision;
      };
      expect(cancels(OURS)).toEqual({ cancel: false });
      expect(cancels('desk://app/assets/a.js')).toEqual({ cancel: false });
      expect(cancels('desk://app/bytes/in', 'POST')).toEqual({ cancel: false });
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'CONNECT', 'OPTIONS']) {
        expect(cancels(OURS, method)).toEqual({ cancel: true });
      }
      const inOurOrigin = ['desk://app/bytes/out/1', 'desk://app/../index.html'];
      const held = ['data:text/html,x', 'blob:desk://app/x'];
      const others = OTHER_ADDRESSES.filter((url) => ![...inOurOrigin, ...held].includes(url));
      for (const url of [...others, 'devtools://devtools/bundled/x.js', 'chrome-extension://x/y']) {
        expect([url, cancels(url)]).toEqual([url, { cancel: true }]);
      }
    }
  });

  it.each([
    [false, 'devtools://devtools/bundled/x.js', false],
    [false, 'https://example.com/', true],
    [true, 'devtools://devtools/bundled/x.js', true],
  ])(
    'load developer tools when packaged (packaged: %j, %s; SEC-M4)',
    async (isPackaged, url, cancel) => {
      const { session } = await startWindow({ isPackaged });
      const verdicts: unknown[] = [];
      const answer = (verdict: unknown) => verdicts.push(verdict);
      session.handlers.call('beforeRequest', { url, method: 'GET' }, answer);
      expect(verdicts).toEqual([{ cancel }]);
    },
  );

  it('save a download, because only the core saves files (SEC-M4)', async () => {
    for (const session of await sessions()) {
      const isStopped = (url: string): boolean => {
        let isPrevented = false;
        const event = { preventDefault: () => (isPrevented = true) };
        session.emit('will-download', event, { getURL: () => url });
        return isPrevented;
      };
      for (const url of [...OTHER_ADDRESSES, OURS])
        expect([url, isStopped(url)]).toEqual([url, true]);
    }
  });

  it('store anything on the disk', async () => {
    const { electron } = await startWindow();
    expect(electron.seen.asked.filter(([name]) => name === 'fromPartition')).toEqual([
      ['fromPartition', 'desk', undefined],
    ]);
  });
});

describe('every page of any origin', () => {
  /** Returns the contents of the window's own page, and of a page of unknown origin. */
  async function everyContents() {
    const { electron, window } = await startWindow();
    const other = new FakeWebContents();
    electron.app.emit('web-contents-created', {}, other);
    return [window.webContents, other];
  }

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
    'stays where it is at %s (SEC-M4)',
    async (event) => {
      for (const contents of await everyContents()) {
        for (const url of OTHER_ADDRESSES) {
          let isPrevented = false;
          contents.emit(event, { preventDefault: () => (isPrevented = true), url });
          expect([url, isPrevented]).toEqual([url, true]);
        }
      }
    },
  );

  it('opens no window (SEC-M4)', async () => {
    for (const contents of await everyContents()) {
      for (const url of [...OTHER_ADDRESSES, OURS]) {
        expect(contents.handlers.call('windowOpen', { url })).toEqual({ action: 'deny' });
      }
    }
  });

  it('sends nothing by WebRTC (SEC-M4)', async () => {
    for (const contents of await everyContents()) {
      expect(contents.webRtcPolicy).toBe('disable_non_proxied_udp');
    }
    const { electron } = await startWindow();
    const looks = ['appendSwitch', 'host-resolver-rules', 'MAP * ~NOTFOUND'];
    expect(electron.seen.asked).toContainEqual(looks);
  });

  it('receives no Bluetooth device (SEC-M4)', async () => {
    for (const contents of await everyContents()) {
      const seen: unknown[] = [];
      const prevent = { preventDefault: () => seen.push('prevented') };
      const answer = (id: unknown) => seen.push(id);
      contents.emit('select-bluetooth-device', prevent, [{ deviceId: '1' }], answer);
      expect(seen).toEqual(['prevented', '']);
    }
  });
});

it.each([
  ['certificate-error', ['https://x', 'net::ERR', {}], [false]],
  ['select-client-certificate', ['https://x', [{}]], []],
  ['login', [{}, {}], []],
])('Electron’s question at %s is answered with no (SEC-M4)', async (event, args, expected) => {
  const { electron } = await startWindow();
  const seen: unknown[] = [];
  const prevent = { preventDefault: () => seen.push('prevented') };
  const answer = (...given: unknown[]) => seen.push(given);
  electron.app.emit(event, prevent, null, ...args, answer);
  expect(seen).toEqual(['prevented', expected]);
});
