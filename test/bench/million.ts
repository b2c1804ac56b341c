/** Whether to use a million agreements instead of 100,000; storing them takes some minutes. */
export const IS_MILLION = process.env['DESK_BENCH_MILLION'] === '1';
