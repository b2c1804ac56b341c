/** What a draft is called on disk; `build/package/electron-builder.yml` names it too. */
export const DRAFT_EXTENSION = '.signdraft';

/** Files that the system may give this program to open: a draft, or a PDF that begins one. */
export const OPENABLE_EXTENSIONS: readonly string[] = [DRAFT_EXTENSION, '.pdf'];
