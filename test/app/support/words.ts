import { m } from '../../../renderer/generated/messages/messages.js';
import { overwriteGetLocale } from '../../../renderer/generated/messages/runtime.js';

overwriteGetLocale(() => 'en');

/** Every sentence of the window, in the language the tests start it in. */
export { m as words };
