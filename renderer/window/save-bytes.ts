import type { BytesId } from '../../shared/model/ids.ts';
import { api } from './desk.ts';
import { m } from '../ui/language.svelte.ts';
import { activity } from './activity.svelte.ts';
import { host } from './host.svelte.ts';

/**
 * Saves bytes that a call left, in the folder a person chooses where the host has a dialog for it,
 * else in the program's own folder in Documents, and says where they are. Both hosts stop every
 * download of the browser: it could neither say where a file went nor keep from writing over one.
 * Gives the path; null when the person chose no folder.
 */
export const saveBytes = ({
  out,
  fileName,
}: {
  readonly out: BytesId;
  readonly fileName: string;
}): Promise<string | null> => saveThrough((folder) => api['files.save']({ out, folder, fileName }));

/** The same for what the core itself writes into the folder. */
export async function saveThrough(
  save: (folder: string) => Promise<{ readonly file: string }>,
): Promise<string | null> {
  const { features, documentsFolder } = host.value ?? (await api['host.describe']({}));
  const folder = features.chooseFolder
    ? (await api['host.chooseFolder']({})).path
    : documentsFolder;
  if (folder === null) return null;
  const { file } = await save(folder);
  activity.say(() => m.file_saved_as({ file }));
  return file;
}
