/** Instead of 100,000 agreements; filling them in takes some minutes: `DESK_BENCH_MILLION=1`. */
export const IS_MILLION = process.env['DESK_BENCH_MILLION'] === '1';
