/**
 * Confirms the dialog of a form when the user presses Enter in its field: the same as a press of the
 * confirm button, so that the dialog shows a refusal.
 */
export function confirmByKey(event: SubmitEvent & { currentTarget: HTMLFormElement }): void {
  event.preventDefault();
  const dialog = event.currentTarget.closest('[role=alertdialog]');
  const buttons = dialog?.querySelectorAll<HTMLElement>('.dialog-actions button') ?? [];
  [...buttons].at(-1)?.click();
}
