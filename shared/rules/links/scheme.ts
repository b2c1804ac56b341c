/** URL scheme registered with the system; `build/package/electron-builder.yml` contains it too. */
export const LINK_SCHEME = 'signingdesk';

/** Whether a text from the system has this program's URL scheme; the rest is not validated. */
export const isLink = (text: string): boolean => /^signingdesk:/i.test(text);
