/**
 * Calls `flush` when the window closes. Its calls reach the core, but their replies do not arrive.
 * Returns a function that ends this.
 */
export function onClosing(flush: () => void): () => void {
  window.addEventListener('pagehide', flush);
  return () => window.removeEventListener('pagehide', flush);
}
