/** What a package that the program is made of asks of whoever passes it on. */
export interface Licence {
  readonly name: string;
  /** Empty for a part of a package. */
  readonly version: string;
  /** As SPDX names it; empty where only its text says. */
  readonly licence: string;
  readonly text: string;
}
