/**
 * URL of a thread's main file, which calls `serveThread`.
 * @param here `import.meta.url` of the module that starts it
 * @param source relative path in the sources
 * @param bundled its name next to the bundled program
 */
export const threadFile = (here: string, source: string, bundled: string): URL =>
  new URL(here.endsWith('.ts') ? source : `./${bundled}.mjs`, here);
