/** Registered with the system; `build/package/electron-builder.yml` names it too. */
export const LINK_SCHEME = 'signingdesk';

/** Whether the system means a link of ours by this text; what it asks for is another question. */
export const isLink = (text: string): boolean => /^signingdesk:/i.test(text);
