import { expect, it } from 'vitest';
import { startWindow } from '../../support/desks/started-window.ts';

it('the core is notified when the computer is about to sleep, and when it wakes (TX-13)', async () => {
  const { electron, state } = await startWindow();
  electron.powerMonitor.emit('suspend');
  expect(state.did).toEqual(['open', 'sleepSoon']);
  electron.powerMonitor.emit('resume');
  expect(state.did).toEqual(['open', 'sleepSoon', 'wokeUp']);
});
