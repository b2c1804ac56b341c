import type { HostFeatures } from '../../../electron/core/host-ports.ts';

/** Host without features: it chooses no folder and opens nothing. */
export const noHostFeatures: HostFeatures = {
  chooseFolder: async () => null,
  openPath: async () => {},
  dragFile: async () => {},
  notify: () => {},
  progress: () => {},
  badge: () => {},
  menu: () => {},
  status: () => {},
  confirm: null,
  startsAtLogin: () => false,
  startAtLogin: async () => {},
  readSchedule: async () => ({ isOn: false, obstacle: 'no-scheduler', command: '' }),
  setSchedule: async () => {},
};

/** Description of the host `noHostFeatures`. */
export const offersNothing = {
  chooseFolder: false,
  openPath: false,
  dragFile: false,
  notify: false,
  progress: false,
  badge: false,
  menu: false,
  tray: false,
  loginStart: false,
};
