import { activity } from '../../window/activity.svelte.ts';
import type { Command } from '../../window/shortcuts.svelte.ts';
import { isFromTextField } from './panes.ts';

/** Whether an open dialog covers the page; shortcuts then do nothing. */
const isCovered = (): boolean =>
  document.querySelector('#overlays [role=dialog], #overlays [role=alertdialog]') !== null;

/** Whether the key enters a character in a text field. */
const entersCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

function runByKey(command: Command, event: KeyboardEvent): void {
  const leavesText = command.leavesText === true || entersCharacter(event);
  if (leavesText && isFromTextField(event)) return;
  // The browser also handles some of these keys, for example reloading the page.
  event.preventDefault();
  run(command);
}

function run(command: Command): void {
  if (isCovered()) return;
  const reason = command.reason?.() ?? null;
  if (reason === null) command.run();
  else activity.notify(() => reason);
}

export function runChosen(commands: readonly Command[], id: string): void {
  const command = commands.find((one) => one.id === id);
  if (command !== undefined) run(command);
}

/** Returns a map from keys to handlers, in the form that tinykeys requires. */
export function bindingsOf(
  commands: readonly Command[],
): Record<string, (event: KeyboardEvent) => void> {
  return Object.fromEntries(
    commands.flatMap((command) =>
      command.keys.map((keys) => [keys, (event: KeyboardEvent) => runByKey(command, event)]),
    ),
  );
}
