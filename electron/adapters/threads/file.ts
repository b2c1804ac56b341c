/**
 * A thread's own file, which calls `serveThread`.
 * @param here `import.meta.url` of whoever begins it
 * @param source from there, in the sources
 * @param bundled its name beside the program
 */
export const threadFile = (here: string, source: string, bundled: string): URL =>
  new URL(here.endsWith('.ts') ? source : `./${bundled}.mjs`, here);
