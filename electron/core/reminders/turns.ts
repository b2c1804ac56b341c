import type { ReminderRule, ReminderRuleId } from '../../../shared/contract/reminders.ts';
import { isCode } from '../../../shared/errors.ts';
import type { Lease } from '../turn-ports.ts';
import { type HeldTask, type OfficeTasks, TaskElsewhereError } from '../office/tasks.ts';

/** Whether this computer runs a rule; `task` is null if no office was asked. */
type Turn = { readonly isOurs: false } | { readonly isOurs: true; readonly task: HeldTask | null };

/**
 * Rules that this computer runs in one pass. A shared rule of an office runs on one computer at a
 * time; a rule about a computer's own sends runs on each.
 */
export class RuleTurns {
  readonly #tasks: Pick<OfficeTasks, 'take'>;
  readonly #turns = new Map<ReminderRuleId, Turn>();

  constructor({ tasks }: { readonly tasks: Pick<OfficeTasks, 'take'> }) {
    this.#tasks = tasks;
  }

  /**
   * Whether this computer runs the rule; claims the rule on the first call. Throws 'offline' if the
   * office cannot be reached.
   */
  async isOurs(rule: ReminderRule): Promise<boolean> {
    const turn = this.#turns.get(rule.id) ?? (await this.#take(rule));
    this.#turns.set(rule.id, turn);
    return turn.isOurs && turn.task?.signal.aborted !== true;
  }

  /** Returns the lease of a claimed rule; null if the rule has none. */
  leaseOf({ id }: ReminderRule): Lease | null {
    const turn = this.#turns.get(id);
    return turn?.isOurs === true ? (turn.task?.lease ?? null) : null;
  }

  async end(): Promise<void> {
    for (const turn of this.#turns.values()) if (turn.isOurs) await turn.task?.end();
  }

  async #take({ id, name, filter }: ReminderRule): Promise<Turn> {
    if (filter.ownOnly) return { isOurs: true, task: null };
    try {
      const task = await this.#tasks.take({ kind: 'remind', parts: [id], title: name });
      return { isOurs: true, task };
    } catch (error) {
      if (error instanceof TaskElsewhereError) return { isOurs: false };
      // If the user has no permission to send, the rule is left to computers of other users.
      if (isCode(error, 'forbidden')) return { isOurs: false };
      throw error;
    }
  }
}
