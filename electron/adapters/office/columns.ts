/** A time of the server as epoch milliseconds, a length of time in milliseconds. */
export const millis = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`;
