import { type Answer, answer } from '../output/answer.ts';
import { exits } from '../output/exit-codes.ts';
import type { Session } from '../session/session.ts';
import { pairs } from '../output/text.ts';
import { type AddCommands, example } from '../session/group.ts';

/** `doctor`: what can be said about this installation without giving away a secret. */
async function examine({ api }: Session): Promise<Answer> {
  const found = await api['host.doctor']({});
  const checks = found.checks.map(({ name, ok, note }) => ({ name, ok, note }));
  const rows = checks.map((one) => [one.name, `${one.ok ? 'ok ' : 'NOT OK'} ${one.note}`] as const);
  const isWell = checks.every(({ ok }) => ok);
  return answer({ checks }, pairs(rows), isWell ? exits.done : exits.invalid);
}

/** `doctor` */
export const doctorCommands: AddCommands = (command, run) => {
  command.action(() => run.withDesk('nothing', examine));
  example(command, 'doctor --json');
};
