/** Registered with the system; `build/package/electron-builder.yml` contains it too. */
export const LINK_SCHEME = 'signingdesk';

/** Whether the text from the system is a link of ours; its content is not validated. */
export const isLink = (text: string): boolean => /^signingdesk:/i.test(text);
