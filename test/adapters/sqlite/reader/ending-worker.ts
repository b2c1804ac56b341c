import { serveThread } from '../../../../electron/adapters/threads/serve.ts';

/* A thread of lists that counts, and ends without an answer when it is asked for one. */

serveThread({ count: () => 1, list: () => process.exit(1) }, () => undefined);
