/**
 * Without these, at most thirty marks are left on each letter, as Unicode's stream-safe form
 * has it (UAX 15, 13): `normalize` puts marks in order in time that grows with the square of their
 * number, so that no text of others may come to it without this. No language has more than some five;
 * two signs of Japanese become marks too.
 */
export const LONG_MARKS = /(?<=[\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]{1,1000}/gu;

/** A text as `LONG_MARKS` leaves it. */
export const withoutLongMarks = (text: string): string => text.replaceAll(LONG_MARKS, '');
