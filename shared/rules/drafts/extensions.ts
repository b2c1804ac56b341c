/** Extension of draft files; `build/package/electron-builder.yml` contains it too. */
export const DRAFT_EXTENSION = '.signdraft';

/** Files that the system may open with this program: a draft, or a PDF for a new draft. */
export const OPENABLE_EXTENSIONS: readonly string[] = [DRAFT_EXTENSION, '.pdf'];
