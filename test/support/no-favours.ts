import type { HostFavours } from '../../electron/core/host-ports.ts';

/** A computer that does nothing for the desk: no folder is chosen, nothing opens. */
export const noFavours: HostFavours = {
  chooseFolder: async () => null,
  openPath: async () => {},
  openLink: async () => {},
  notify: () => {},
  progress: () => {},
};

/** What such a computer says of itself. */
export const offersNothing = {
  chooseFolder: false,
  openPath: false,
  notify: false,
  progress: false,
};
