/**
 * URL of a thread's main file, which calls `serveThread`.
 * @param here `import.meta.url` of the module that starts the thread
 * @param source path of the main file in the sources, relative to `here`
 * @param bundled name of the main file next to the bundled program
 */
export const threadFile = (here: string, source: string, bundled: string): URL =>
  new URL(here.endsWith('.ts') ? source : `./${bundled}.mjs`, here);
