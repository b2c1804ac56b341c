import { activity } from '../../window/activity.svelte.ts';
import { api } from '../../window/desk.ts';
import { m } from '../../ui/language.svelte.ts';
import { Loaded } from '../../window/loaded.svelte.ts';
import { errorSentenceOf } from '../../window/refusal.ts';

/** The scheduled task of the system, which runs the rules while the window is closed. */
class RuleSchedule {
  readonly now = new Loaded(() => api['host.schedule']({}));

  /** Creates or removes the task. Returns null on success, otherwise the reason. */
  async turn(isOn: boolean): Promise<string | null> {
    const refusal = await errorSentenceOf(async () => {
      this.now.value = await api['host.setSchedule']({ isOn });
    });
    if (refusal === null) activity.notify(isOn ? m.schedule_turned_on : m.schedule_turned_off);
    return refusal;
  }

  async turnOff(): Promise<void> {
    const refusal = await this.turn(false);
    if (refusal !== null) activity.warn(() => refusal, null, 'host.setSchedule');
  }
}

export const ruleSchedule = new RuleSchedule();
