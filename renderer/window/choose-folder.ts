import { api } from './desk.ts';
import { activity } from './activity.svelte.ts';

/** Lets the user choose a folder; null if they chose none. */
export async function chooseFolder(): Promise<string | null> {
  let chosen: string | null = null;
  await activity.attempt(async () => {
    chosen = (await api['host.chooseFolder']({})).path;
  });
  return chosen;
}
