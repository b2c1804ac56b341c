import type { BytesId } from '../../shared/model/ids.ts';
import { api } from './desk.ts';
import { m } from '../ui/language.svelte.ts';
import { activity } from './activity.svelte.ts';
import { host } from './host.svelte.ts';

/**
 * Saves the bytes of a call and announces the path. The folder is chosen by the user if the host
 * has a dialog for it, and is otherwise the program's folder in Documents. Both hosts block the
 * browser's downloads, which cannot report the path or avoid overwriting a file. Returns the path;
 * null if the user chose no folder.
 */
export const saveBytes = ({
  out,
  fileName,
}: {
  readonly out: BytesId;
  readonly fileName: string;
}): Promise<string | null> => saveThrough((folder) => api['files.save']({ out, folder, fileName }));

/** Like `saveBytes`, for files that the core writes into the folder itself. */
export async function saveThrough(
  save: (folder: string) => Promise<{ readonly file: string }>,
): Promise<string | null> {
  const { features, documentsFolder } = host.value ?? (await api['host.describe']({}));
  const folder = features.chooseFolder
    ? (await api['host.chooseFolder']({})).path
    : documentsFolder;
  if (folder === null) return null;
  const { file } = await save(folder);
  activity.notify(() => m.file_saved_as({ file }));
  return file;
}
