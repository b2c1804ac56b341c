import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Channel } from '../../shared/wire.ts';
import { wireContract } from '../support/wire-contract.ts';

/** Two ends in one process; like every real channel it delivers later, and in order. */
function joinInMemory(): { readonly server: Channel; readonly client: Channel } {
  const listeners = {
    server: new Set<(message: string) => void>(),
    client: new Set<(message: string) => void>(),
  };
  const end = (own: 'server' | 'client', other: 'server' | 'client'): Channel => ({
    post: (message) =>
      queueMicrotask(() => {
        for (const listener of listeners[other]) listener(message);
      }),
    onMessage: (listener) => void listeners[own].add(listener),
  });
  return { server: end('server', 'client'), client: end('client', 'server') };
}

function channelOver(port: MessagePort): Channel {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) =>
      void port.on('message', (message: unknown) => {
        if (typeof message === 'string') listener(message);
      }),
  };
}

wireContract('memory', async () => ({ ...joinInMemory(), close: async () => {} }));

wireContract('a pair of message ports', async () => {
  const { port1, port2 } = new MessageChannel();
  return {
    server: channelOver(port1),
    client: channelOver(port2),
    async close() {
      port1.close();
      port2.close();
    },
  };
});
