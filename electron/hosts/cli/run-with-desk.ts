import type { Answer } from './answer.ts';
import type { Need } from './group.ts';
import { createInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { openCliDesk } from './open-desk.ts';
import { openData } from './profile.ts';
import type { Report } from './report.ts';
import type { Session } from './session.ts';

export interface Run {
  readonly io: Io;
  readonly report: Report;
  readonly need: Need;
  /** `--data` */
  readonly data: string | undefined;
}

/**
 * Opens the desk, runs one command, and closes the desk whatever happened.
 * @throws AppError with the reason; 'cancelled' after Ctrl+C.
 */
export async function runWithDesk(
  { io, report, need, data }: Run,
  work: (session: Session) => Promise<Answer>,
): Promise<Answer> {
  const desk = await openCliDesk(io, data);
  const interrupt = createInterrupt(io);
  const session = desk.session(report, interrupt);
  const run = async (): Promise<Answer> => {
    await openData(session, need, desk.dataFolder);
    return work(session);
  };
  try {
    return await interrupt.race(run());
  } catch (error) {
    throw desk.asAppError(error);
  } finally {
    await desk.close();
    interrupt.release();
  }
}
