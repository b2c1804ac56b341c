import type { Page } from 'playwright';

/** The element that had the focus first in a dialog, and the kinds of its buttons in their order. */
export interface DialogLook {
  readonly first: string;
  readonly hasField: boolean;
  /** `closes` for the buttons that change nothing; `primary`, `danger` or `plain` for others. */
  readonly buttons: readonly string[];
  /** Buttons that are not available: their names, and the reasons that are read out with them. */
  readonly unavailable: readonly { readonly name: string; readonly reason: string }[];
}

/** Notes from now on what has the focus first in each dialog. */
export async function watchFirstFocus(page: Page): Promise<void> {
  await page.evaluate(() => {
    const FIELD = 'input:not([type=checkbox], [type=radio]), textarea, select';
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      const dialog = target.closest<HTMLElement>('[role=dialog], [role=alertdialog]');
      if (dialog === null || dialog.dataset['first'] !== undefined) return;
      const kinds = ['primary', 'danger'].filter((kind) => target.classList.contains(kind));
      const other = target.matches('button') ? 'button' : target.tagName.toLowerCase();
      dialog.dataset['first'] = target.matches(FIELD) ? 'field' : (kinds[0] ?? other);
      dialog.dataset['field'] = String(dialog.querySelector(FIELD) !== null);
    });
  });
}

/** Looks at the dialog that is on top; null if there is none, as for a menu. */
export function lookAtDialog(page: Page): Promise<DialogLook | null> {
  return page.evaluate(() => {
    const dialogs = [
      ...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]'),
    ].filter((one) => one.checkVisibility());
    const dialog = dialogs.at(-1);
    if (dialog === undefined) return null;
    const rows = [...dialog.querySelectorAll('.dialog-actions')];
    const buttons = [...(rows.at(-1)?.querySelectorAll('button') ?? [])].map(({ classList }) => {
      const kind = ['primary', 'danger'].find((one) => classList.contains(one));
      return kind ?? (classList.contains('dialog-cancel') ? 'closes' : 'plain');
    });
    // An arrow button at the end of its range has only a label, and needs no further reason.
    const off = dialog.querySelectorAll(
      'button:is(:disabled, [aria-disabled=true]):not([aria-label])',
    );
    const unavailable = [...off].map((button) => {
      // The keyboard cannot reach a button with the attribute `disabled`.
      const ids = button.matches(':disabled') ? null : button.getAttribute('aria-describedby');
      const reason = document.getElementById(ids ?? '')?.textContent.trim() ?? '';
      return { name: button.textContent.trim(), reason };
    });
    const { first = 'nothing', field } = dialog.dataset;
    return { first, hasField: field === 'true', buttons, unavailable };
  });
}
