import type { HostFeatures } from '../../../electron/core/host-ports.ts';

/** A computer that does nothing for the desk: no folder is chosen, nothing opens. */
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
};

/** What such a computer says of itself. */
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
