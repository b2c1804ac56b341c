/** What a draft is called on disk; `build/package/electron-builder.yml` names it too. */
export const DRAFT_ENDING = '.signdraft';
