import { serveThread } from '../../../../electron/adapters/threads/serve.ts';

/* A reader thread that answers `count`, and ends without an answer on `list`. */

serveThread({ count: () => 1, list: () => process.exit(1) }, () => undefined);
