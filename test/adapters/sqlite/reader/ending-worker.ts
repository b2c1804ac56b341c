import { serveThread } from '../../../../electron/adapters/threads/serve.ts';

/* A reader thread that counts, and ends without an answer on one request. */

serveThread({ count: () => 1, list: () => process.exit(1) }, () => undefined);
