import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Delay after which the service creates an agreement (ms). */
const latency = Number(process.argv[2]);
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    setTimeout(() => {
      const data = { type: 'agreement', id: randomUUID(), attributes: { title: 'x' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data }));
    }, latency);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
