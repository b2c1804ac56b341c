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
  run(command);
}

function run(command: Command): void {
  if (isCovered()) return;
  const reason = command.reason?.() ?? null;
  if (reason === null) command.run();
  else activity.say(() => reason);
}

/** Does what was chosen in the host's menu, as its key would. */
export function runChosen(commands: readonly Command[], id: string): void {
  const command = commands.find((one) => one.id === id);
  if (command !== undefined) run(command);
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
