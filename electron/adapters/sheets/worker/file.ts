/** The worker's own file: beside this one in the sources, beside the program when bundled. */
export const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './sheet-worker.mjs',
  import.meta.url,
);
