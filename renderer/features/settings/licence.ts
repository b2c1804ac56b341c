/** Licence of a package that is part of the program, for redistribution. */
export interface Licence {
  readonly name: string;
  /** Version of the package; empty for a part of a package. */
  readonly version: string;
  /** SPDX name; empty if only the licence text exists. */
  readonly licence: string;
  readonly text: string;
}
