import { EventEmitter } from 'node:events';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Channel } from '../../../shared/wire.ts';

const exposed = new Map<string, Channel>();
const sent: unknown[][] = [];
const renderer = Object.assign(new EventEmitter(), {
  send: (...args: unknown[]) => void sent.push(args),
});

beforeEach(async () => {
  vi.resetModules();
  exposed.clear();
  sent.length = 0;
  renderer.removeAllListeners();
  vi.doMock('electron', () => ({
    contextBridge: { exposeInMainWorld: (name: string, api: Channel) => exposed.set(name, api) },
    ipcRenderer: renderer,
  }));
  await import('../../../electron/hosts/electron/preload.ts');
});

it('the preload script gives the page two functions and nothing else', () => {
  expect([...exposed.keys()]).toEqual(['desk']);
  expect(Object.keys(exposed.get('desk') ?? {})).toEqual(['post', 'onMessage']);
});

it('the preload script posts on a single channel', () => {
  exposed.get('desk')?.post('text');
  expect(sent).toEqual([['desk', 'text']]);
});

it('the preload script passes on the message, and never the event with its channel', () => {
  const received: unknown[][] = [];
  exposed.get('desk')?.onMessage((...args) => void received.push(args));
  renderer.emit('desk', { sender: renderer }, 'text');
  expect(received).toEqual([['text']]);
});
