import { beforeEach, describe, expect, it } from 'vitest';
import { AccessGate, type DataAccess, type DataOpening } from '../../electron/core/access.ts';
import { createToFailure } from '../../electron/core/app-error.ts';
import { createByteExchange } from '../../electron/core/bytes/exchange.ts';
import { createHandlers, type DataHandlers } from '../../electron/core/handlers.ts';
import { createHostHandlers } from '../../electron/core/host.ts';
import { Arrivals } from '../../electron/core/links/arrivals.ts';
import { calls } from '../../shared/contract/index.ts';
import { AppError, type ErrorReason } from '../../shared/errors.ts';
import { connectDirectly } from '../../shared/wire.ts';
import { startMemoryDesk } from '../support/fakes/memory-desk.ts';
import {
  createCountingChance,
  createHandClock,
  createMemoryFiles,
  createMemoryLog,
} from '../support/fakes/memory-ports.ts';
import { noRestore } from '../support/fakes/no-backups.ts';
import { noHostFeatures, offersNothing } from '../support/fakes/no-host-features.ts';

class FakeDoor implements DataAccess {
  readonly opened: DataOpening[] = [];
  failure: AppError | Error | null = null;
  closed = 0;

  async open(opening: DataOpening): Promise<void> {
    this.opened.push(opening);
    if (this.failure !== null) throw this.failure;
  }

  async close(): Promise<void> {
    this.closed += 1;
  }

  store(): 'keychain' {
    return 'keychain';
  }

  async isPassphraseSet(): Promise<boolean> {
    return false;
  }

  hasData(): boolean {
    return true;
  }

  async setAside(): Promise<string> {
    this.failure = null;
    return '/aside';
  }
}

let door: FakeDoor;
let gate: AccessGate;
let emitted = 0;

beforeEach(() => {
  door = new FakeDoor();
  emitted = 0;
  const emit = () => void (emitted += 1);
  gate = new AccessGate({ door, emit, toFailure: createToFailure(createMemoryLog()) });
});

describe('opening the data', () => {
  it('reports that the data is open, and does not open it a second time', async () => {
    expect(await gate.open()).toMatchObject({ open: true, profile: 'own', vault: 'ready' });
    await gate.handlers['access.retry']({});
    expect(door.opened).toHaveLength(1);
    expect(emitted).toBe(1);
  });

  it.each([
    ['vault-locked', 'locked'],
    ['vault-dismissed', 'dismissed'],
    ['vault-denied', 'denied'],
    ['vault-no-session', 'no-session'],
    ['vault-entry-missing', 'entry-missing'],
    ['vault-wrong-key', 'wrong-key'],
    ['vault-changed', 'changed'],
  ] as const)(
    'reports %s as the vault state %s, and opens the data on the next try',
    async (reason, state) => {
      door.failure = new AppError('vault', 'No', { reason });
      const access = await gate.open();
      expect(access).toMatchObject({ open: false, vault: state, problem: { reason } });
      door.failure = null;
      expect(await gate.handlers['access.retry']({})).toMatchObject({ open: true, problem: null });
    },
  );

  it.each(['data-damaged', 'data-foreign'] as const)(
    'reports %s without reporting a fault of the credential store',
    async (reason) => {
      door.failure = new AppError('storage', 'No', { reason });
      const problem: { code: string; reason: ErrorReason } = { code: 'storage', reason };
      expect(await gate.open()).toMatchObject({ open: false, vault: 'ready', problem });
    },
  );

  it('opens the demo profile, and then the user’s own data again', async () => {
    door.failure = new AppError('vault', 'No', { reason: 'vault-no-session' });
    await gate.open();
    door.failure = null;
    const demo = await gate.handlers['access.openDemoProfile']({});
    expect(demo).toMatchObject({ open: true, profile: 'demo' });
    expect(await gate.handlers['access.retry']({})).toMatchObject({ profile: 'own' });
    expect(door.opened.map((one) => one.with)).toEqual(['host', 'demo', 'host']);
  });

  it('runs one opening at a time', async () => {
    let atOnce = 0;
    let most = 0;
    door.open = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
    };
    const passphrase = 'correct horse battery';
    await Promise.all([
      gate.open(),
      gate.handlers['access.usePassphrase']({ passphrase }),
      gate.open(),
    ]);
    expect(most).toBe(1);
  });
});

describe('calls of the program', () => {
  function apiOver(opened: () => DataHandlers) {
    const host = createHostHandlers({
      description: () => ({
        version: '0',
        language: null,
        locale: 'en',
        platform: 'linux',
        dataFolder: '/',
        documentsFolder: '/',
        features: offersNothing,
      }),
      features: noHostFeatures,
      files: createMemoryFiles(),
      onChosen: () => {},
      stores: () => null,
      doctor: async () => [],
      access: () => gate.handlers['access.read']({}),
    });
    const bytes = createByteExchange(createHandClock(), createCountingChance());
    const links = new Arrivals({ bytes, emit: () => {} }).handlers;
    const early = { ...host, ...gate.handlers, ...links, ...noRestore };
    const handlers = createHandlers(early, opened);
    return connectDirectly(handlers, createToFailure(createMemoryLog())).api;
  }

  it('are refused with the reason while the data is closed, except calls about the host and the access', async () => {
    door.failure = new AppError('vault', 'Locked', { reason: 'vault-locked' });
    await gate.open();
    const api = apiOver(() => gate.refuse());
    await expect(api['drafts.list']({})).rejects.toMatchObject({
      failure: { code: 'vault', reason: 'vault-locked' },
    });
    await expect(api['connections.capabilities']({})).rejects.toMatchObject({
      failure: { code: 'vault' },
    });
    expect(await api['host.describe']({})).toMatchObject({ version: '0' });
    expect(await api['access.read']({})).toMatchObject({ open: false });
  });

  it('are refused with the code vault before the first try to open the data', async () => {
    const api = apiOver(() => gate.refuse());
    await expect(api['settings.read']({})).rejects.toMatchObject({ failure: { code: 'vault' } });
    expect(await api['access.read']({})).toMatchObject({ open: false, problem: null });
  });

  it('each have a handler', () => {
    const desk = startMemoryDesk();
    expect(Object.keys(desk.api).toSorted()).toEqual(Object.keys(calls).toSorted());
  });
});

describe('data that cannot be opened', () => {
  const setAside = () => gate.handlers['access.setAside']({});

  it.each(['vault-entry-missing', 'data-wrong-key', 'data-damaged', 'data-foreign'] as const)(
    'is set aside when opening it reports %s, and the program then starts as if for the first time',
    async (reason) => {
      door.failure = new AppError('vault', 'No', { reason });
      expect(await gate.open()).toMatchObject({ canSetAside: true });
      expect(await setAside()).toEqual({ folder: '/aside' });
      expect(await gate.handlers['access.read']({})).toMatchObject({ open: true });
    },
  );

  it('is set aside when its passphrase is forgotten', async () => {
    door.isPassphraseSet = async () => true;
    door.failure = new AppError('vault', 'No', { reason: 'vault-locked' });
    await gate.open();
    expect(await setAside()).toEqual({ folder: '/aside' });
  });

  it.each(['vault-locked', 'vault-no-session', 'data-in-use'] as const)(
    'is not set aside when opening it reports %s',
    async (reason) => {
      door.failure = new AppError('vault', 'No', { reason });
      expect(await gate.open()).toMatchObject({ canSetAside: false });
      await expect(setAside()).rejects.toMatchObject({ failure: { code: 'conflict' } });
      expect(door.failure).not.toBeNull();
    },
  );

  it('is not set aside when the failure has nothing to do with its passphrase', async () => {
    door.isPassphraseSet = async () => true;
    for (const failure of [
      new AppError('newer-data', 'No'),
      new AppError('storage', 'No', { reason: 'data-in-use' }),
      new AppError('storage', 'No'),
    ]) {
      door.failure = failure;
      expect(await gate.open()).toMatchObject({ canSetAside: false });
      await expect(setAside()).rejects.toMatchObject({ failure: { code: 'conflict' } });
    }
  });

  it('is not set aside when the demo data is damaged while the user’s own data is locked', async () => {
    door.failure = new AppError('vault', 'No', { reason: 'vault-locked' });
    await gate.open();
    door.failure = new AppError('storage', 'No', { reason: 'data-damaged' });
    const access = await gate.handlers['access.openDemoProfile']({});
    expect(access).toMatchObject({ open: false, canSetAside: false });
    await expect(setAside()).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(door.failure).not.toBeNull();
  });

  it('is not set aside when it is open, or when the program never tried to open it', async () => {
    await expect(setAside()).rejects.toMatchObject({ failure: { code: 'conflict' } });
    await gate.open();
    await expect(setAside()).rejects.toMatchObject({ failure: { code: 'conflict' } });
  });
});

describe('work that needs the data closed', () => {
  const passphrase = 'correct horse battery';

  it('closes open data, and opens it again in the same way', async () => {
    await gate.handlers['access.usePassphrase']({ passphrase });
    const done = await gate.whileClosed(async () => {
      expect(() => gate.refuse()).toThrow();
      return 'done';
    });
    expect(done).toBe('done');
    expect(door.opened).toEqual([
      { with: 'passphrase', passphrase },
      { with: 'passphrase', passphrase },
    ]);
    expect(await gate.handlers['access.read']({})).toMatchObject({ open: true });
  });

  it('leaves closed data closed, unless the caller requests that it is opened afterwards', async () => {
    door.failure = new AppError('storage', 'No', { reason: 'data-damaged' });
    await gate.open();
    door.failure = null;
    await gate.whileClosed(async () => undefined);
    expect(door.opened).toHaveLength(1);
    const problem = { reason: 'data-damaged' };
    expect(await gate.handlers['access.read']({})).toMatchObject({ open: false, problem });
    await gate.whileClosed(async () => undefined, true);
    expect(await gate.handlers['access.read']({})).toMatchObject({ open: true, problem: null });
  });

  it('that fails leaves open data open, and closed data closed with its reason', async () => {
    const fails = () => gate.whileClosed(() => Promise.reject(new Error('no room')));
    await gate.handlers['access.openDemoProfile']({});
    await expect(fails()).rejects.toThrow('no room');
    expect(await gate.handlers['access.read']({})).toMatchObject({ open: true, profile: 'demo' });
    door.failure = new AppError('vault', 'Locked', { reason: 'vault-locked' });
    await gate.handlers['access.retry']({});
    const tries = door.opened.length;
    await expect(fails()).rejects.toThrow('no room');
    expect(door.opened).toHaveLength(tries);
    expect(await gate.handlers['access.read']({})).toMatchObject({ vault: 'locked' });
  });

  it('waits for an opening of the data in progress', async () => {
    const steps: string[] = [];
    door.open = async () => {
      await Promise.resolve();
      steps.push('opened');
    };
    await Promise.all([gate.open(), gate.whileClosed(async () => void steps.push('worked'))]);
    expect(steps).toEqual(['opened', 'worked', 'opened']);
  });
});

it('writing a setting leaves the other settings unchanged', async () => {
  const desk = startMemoryDesk();
  await desk.api['settings.write']({ theme: 'dark' });
  const settings = await desk.api['settings.write']({ holdSeconds: 30, density: undefined });
  expect(settings).toMatchObject({ theme: 'dark', holdSeconds: 30, density: 'cosy' });
  expect(desk.emitted.filter((name) => name === 'settings.changed')).toHaveLength(2);
});

it('closing the data waits for an opening in progress, and leaves the data closed', async () => {
  const steps: string[] = [];
  door.open = async () => {
    await Promise.resolve();
    steps.push('opened');
  };
  door.close = async () => void steps.push('closed');
  await Promise.all([gate.open(), gate.close()]);
  expect(steps).toEqual(['closed', 'opened', 'closed']);
  expect(await gate.handlers['access.read']({})).toMatchObject({ open: false, problem: null });
});
