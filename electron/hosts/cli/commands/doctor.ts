import type { DoctorCheck } from '../../../../shared/contract/host.ts';
import { ErrorReason } from '../../../../shared/errors.ts';
import { type Answer, answer } from '../output/answer.ts';
import { exits } from '../output/exit-codes.ts';
import type { Session } from '../session/session.ts';
import { nextSteps } from '../output/next-steps.ts';
import { pairs } from '../output/text.ts';
import { type AddCommands, example } from '../session/group.ts';

/** `doctor`: shows the checks of this installation, without any secret. */
async function runDoctor({ api }: Session): Promise<Answer> {
  const found = await api['host.doctor']({});
  const checks = found.checks.map(({ name, ok, finding, value, note }) => {
    return { name, ok, finding, value, note };
  });
  const rows = checks.flatMap((one) => [
    [
      one.name,
      one.note.startsWith('WARNING') ? one.note : `${checkResultWord(one)} ${one.note}`,
    ] as const,
    ...adviceForCheck(one).map((step) => ['', step] as const),
  ]);
  const isWell = checks.every(({ ok }) => ok);
  return answer({ checks }, pairs(rows), isWell ? exits.done : exits.invalid);
}

const checkResultWord = ({ ok }: Pick<DoctorCheck, 'ok'>): string => (ok ? 'ok ' : 'NOT OK');

/** Returns advice for a credential store that does not answer. */
function adviceForCheck({
  finding,
  value,
}: Pick<DoctorCheck, 'finding' | 'value'>): readonly string[] {
  if (finding !== 'store') return [];
  const reason = ErrorReason.safeParse(`vault-${value}`);
  const step = reason.success ? nextSteps[reason.data] : undefined;
  return step === undefined ? [] : [step];
}

export const doctorCommands: AddCommands = (command, run) => {
  command.action(() => run.withDesk('nothing', runDoctor));
  command.addHelpText('after', '\nThe output contains no secrets.');
  example(command, 'doctor --json');
};
