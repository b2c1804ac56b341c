import { activity } from '../../window/activity.svelte.ts';
import type { Command } from '../../window/shortcuts.svelte.ts';
import { isInText } from './panes.ts';

/** Behind an open dialog nothing may happen by key. */
const isCovered = (): boolean =>
  document.querySelector('#overlays [role=dialog], #overlays [role=alertdialog]') !== null;

function press(command: Command, event: KeyboardEvent): void {
  if (command.leavesText === true && isInText(event)) return;
  // The browser has its own meaning for some of these, reloading the page among them.
  event.preventDefault();
  if (isCovered()) return;
  const reason = command.reason?.() ?? null;
  if (reason === null) command.run();
  else activity.say(() => reason);
}

/** What tinykeys needs: from keys to what they do. */
export function bindingsOf(
  commands: readonly Command[],
): Record<string, (event: KeyboardEvent) => void> {
  return Object.fromEntries(
    commands.flatMap((command) =>
      command.keys.map((keys) => [keys, (event: KeyboardEvent) => press(command, event)]),
    ),
  );
}
