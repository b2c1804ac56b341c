import { expect, it } from 'vitest';
import { createByteExchange } from '../../../electron/core/bytes/exchange.ts';
import { Arrivals } from '../../../electron/core/links/arrivals.ts';
import { BytesId } from '../../../shared/model/ids.ts';
import { createCountingChance, createHandClock } from '../../support/fakes/memory-ports.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const MEGABYTE = 1024 * 1024;

function start() {
  const events: string[] = [];
  const clock = createHandClock();
  const bytes = createByteExchange(clock, createCountingChance());
  const arrivals = new Arrivals({ bytes, emit: (name) => void events.push(name) });
  const next = async () => (await arrivals.handlers['links.next']({})).arrival;
  return { arrivals, bytes, clock, events, next };
}

const link = (title: string) =>
  ({ kind: 'link', text: `signingdesk:draft?title=${title}` }) as const;
const file = (name: string, size: number) =>
  ({ kind: 'file', name, data: new Uint8Array(size) }) as const;

it('opened links and files wait in order for a page, and are delivered once (TX-61)', async () => {
  const { arrivals, events, next } = start();
  arrivals.add({ kind: 'link', text: 'signingdesk:agreement/1' });
  arrivals.add({ kind: 'link', text: 'signingdesk:send/1' });
  arrivals.add({ kind: 'no-file', name: 'gone.signdraft' });
  expect(events).toEqual(['links.arrived', 'links.arrived', 'links.arrived']);
  expect(await next()).toEqual({ kind: 'link', link: { kind: 'agreement', id: '1' } });
  expect(await next()).toEqual({ kind: 'link', link: { kind: 'refused', why: 'unknown' } });
  expect(await next()).toEqual({ kind: 'no-file', name: 'gone.signdraft' });
  expect(await next()).toBeNull();
});

it('an opened file waits while the data is closed, and expires only after that', async () => {
  const { arrivals, bytes, clock, next } = start();
  arrivals.add({ kind: 'file', name: 'a.signdraft', data: new Uint8Array([7]) });
  clock.advance(DAY);
  const arrival = await next();
  if (arrival?.kind !== 'file') throw new Error('no file');
  expect(bytes.take(BytesId.parse(arrival.bytes))).toEqual(new Uint8Array([7]));
});

it('too many links are dropped, and large files that exceed the memory limit are skipped', async () => {
  const { arrivals, next } = start();
  for (let count = 0; count < 100; count += 1) arrivals.add(link(String(count)));
  const taken = [];
  for (let count = 0; count < 100; count += 1) taken.push(await next());
  expect(taken.filter((one) => one !== null)).toHaveLength(20);
  arrivals.add(file('a.signdraft', 40 * MEGABYTE));
  arrivals.add(file('b.signdraft', 40 * MEGABYTE));
  expect(await next()).toMatchObject({ kind: 'file', name: 'a.signdraft' });
  expect(await next()).toEqual({ kind: 'no-file', name: 'b.signdraft' });
});
