/*
 * Must be loaded before pdf.js, which creates some browser classes at load time and otherwise
 * requires a drawing package. Only drawing needs them, and nothing is drawn here.
 */
class Unused {}

for (const name of ['DOMMatrix', 'Path2D', 'ImageData']) {
  if (!(name in globalThis)) Object.assign(globalThis, { [name]: Unused });
}
