import type { ReminderRule, ReminderRuleId } from '../../../shared/contract/reminders.ts';
import { isCode } from '../../../shared/errors.ts';
import type { Lease } from '../turn-ports.ts';
import { type HeldTask, type OfficeTasks, TaskElsewhere } from '../office/tasks.ts';

/** Null where no office was asked. */
type Turn = { readonly isOurs: false } | { readonly isOurs: true; readonly task: HeldTask | null };

/**
 * The rules that this desk follows in one run. A rule that an office shares is followed by one of its
 * desks at a time; one about what a desk sent itself, by each.
 */
export class RuleTurns {
  readonly #tasks: Pick<OfficeTasks, 'take'>;
  readonly #turns = new Map<ReminderRuleId, Turn>();

  constructor({ tasks }: { readonly tasks: Pick<OfficeTasks, 'take'> }) {
    this.#tasks = tasks;
  }

  /** Takes the rule when it is first asked for. Throws 'offline' where the office cannot be reached. */
  async isOurs(rule: ReminderRule): Promise<boolean> {
    const turn = this.#turns.get(rule.id) ?? (await this.#take(rule));
    this.#turns.set(rule.id, turn);
    return turn.isOurs && turn.task?.signal.aborted !== true;
  }

  /** Of a rule that is ours. */
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
      if (error instanceof TaskElsewhere) return { isOurs: false };
      // A seat that may not send leaves it to those who may.
      if (isCode(error, 'forbidden')) return { isOurs: false };
      throw error;
    }
  }
}
