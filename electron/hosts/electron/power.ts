import { powerMonitor } from 'electron';
import type { Desk } from '../../compose/compose.ts';

interface PowerPorts {
  readonly desk: Pick<Desk, 'sleepSoon' | 'wokeUp'>;
  /** Called when the computer is shutting down, since no user is there to answer a question. */
  readonly onShutdown: () => void;
}

/** Reports sleep and wake to the desk, which would otherwise notice them later, by its clock. */
export function watchPower({ desk, onShutdown }: PowerPorts): void {
  powerMonitor.on('suspend', () => desk.sleepSoon());
  powerMonitor.on('resume', () => desk.wokeUp());
  powerMonitor.on('shutdown', onShutdown);
}
