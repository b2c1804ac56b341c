export interface AllowedWords {
  /** Key of a message, or path of a file. */
  readonly where: string;
  readonly words: string;
  readonly reason: string;
}

/** Words that a text needs, although the check of plain English rejects them. */
export const ALLOWED: readonly AllowedWords[] = [
  {
    where: 'notice_none',
    words: 'None',
    reason: 'one of three choices, after the name of the group',
  },
];
