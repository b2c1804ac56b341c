import { createServer } from 'node:http';

/*
 * Returns a PDF of the given size in bytes for every path, after a delay, and the number of
 * requests at `/count`. Prints its port.
 */

const [bytes = 0, latency = 0] = process.argv.slice(2).map(Number);
const head = '%PDF-1.7\n%';
const tail = (at) =>
  `\nxref\n0 1\n0000000000 65535 f \ntrailer<</Size 1>>\nstartxref\n${at}\n%%EOF\n`;
const room = bytes - head.length - tail(bytes).length;
const body = Buffer.from(`${head}${'A'.repeat(room)}${tail(head.length + room + 1)}`);
let asked = 0;
const server = createServer(({ url }, response) => {
  if (url === '/count') return response.end(String(asked));
  asked += 1;
  const answer = () => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': body.length });
    response.end(body);
  };
  if (latency > 0) setTimeout(answer, latency);
  else answer();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
