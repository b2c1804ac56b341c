import { powerMonitor } from 'electron';
import type { Desk } from '../../compose/compose.ts';

interface PowerPorts {
  readonly desk: Pick<Desk, 'sleepSoon' | 'wokeUp'>;
  /** The computer is switched off: nobody is there to answer a question. */
  readonly onShutdown: () => void;
}

/** Tells the desk of sleep, which it would see by its clock alone, and later. */
export function watchPower({ desk, onShutdown }: PowerPorts): void {
  powerMonitor.on('suspend', () => desk.sleepSoon());
  powerMonitor.on('resume', () => desk.wokeUp());
  powerMonitor.on('shutdown', onShutdown);
}
