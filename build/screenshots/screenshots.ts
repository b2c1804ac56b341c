/*
 * Pictures of every screen, dialog and intermediate state, in both themes, for people to look at:
 * `npm run screenshots` takes them in English, Swedish and Polish, or in the languages given as
 * arguments, into `dist/screenshots/`. With `-- --size 640x400` the window has that size (CSS pixels;
 * 1280x800 by default), and the pictures are in a folder with that name. `-- --compare` takes the
 * English pictures and compares them with the kept pictures; `-- --keep` replaces the kept pictures
 * by the current ones. `-- --guide` takes only the pictures of the guide, into
 * `renderer/guide/pictures`.
 *
 * The module that takes the pictures imports compiled messages, so it is loaded after compiling.
 */
import { compileMessages } from '../messages.ts';

await compileMessages();
await import('./take.ts');
