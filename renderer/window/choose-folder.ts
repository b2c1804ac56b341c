import { api } from './desk.ts';
import { activity } from './activity.svelte.ts';

/** Lets a person choose a folder; null when none was chosen. */
export async function chooseFolder(): Promise<string | null> {
  let chosen: string | null = null;
  await activity.attempt(async () => {
    chosen = (await api['host.chooseFolder']({})).path;
  });
  return chosen;
}
