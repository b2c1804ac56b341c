/** Returns SQL for a server time as epoch milliseconds, or an interval in milliseconds. */
export const epochMillisSql = (column: string): string =>
  `(extract(epoch FROM ${column}) * 1000)::bigint`;
