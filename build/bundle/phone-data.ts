import type { Plugin } from 'vite';

/** A module of nothing but one value written as JSON. */
const VALUE = /^(?:\/\/.*\n)*export default (\{[^]*\})\s*$/;

/**
 * Has the data of the phone numbers read as JSON when it is loaded. As an object written in
 * JavaScript it takes every start of the program and of the page several times as long.
 */
export function phoneData(): Plugin {
  return {
    name: 'desk:phone-data',
    transform: {
      filter: { id: /libphonenumber-js\/metadata\.max\.json\.js$/ },
      handler(code) {
        const value = VALUE.exec(code)?.[1];
        if (value === undefined) this.error('The data of libphonenumber-js has another form');
        return { code: `export default JSON.parse(${JSON.stringify(value)});`, map: null };
      },
    },
  };
}
