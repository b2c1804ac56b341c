import type { Plugin } from 'vite';

/** Pattern of a module whose only content is one value written as JSON. */
const JSON_MODULE_PATTERN = /^(?:\/\/.*\n)*export default (\{[^]*\})\s*$/;

/**
 * Loads the data of the phone numbers with JSON.parse. As a JavaScript object, it would take
 * several times as long at every start of the program and of the page.
 */
export function phoneDataPlugin(): Plugin {
  return {
    name: 'desk:phone-data',
    transform: {
      filter: { id: /libphonenumber-js\/metadata\.max\.json\.js$/ },
      handler(code) {
        const value = JSON_MODULE_PATTERN.exec(code)?.[1];
        if (value === undefined) this.error('The data of libphonenumber-js has another form');
        return { code: `export default JSON.parse(${JSON.stringify(value)});`, map: null };
      },
    },
  };
}
