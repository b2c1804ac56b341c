/*
 * Must be loaded before pdf.js, which creates some browser classes at load time and otherwise
 * requires a drawing package. Only drawing needs these classes, and this program draws nothing with
 * pdf.js.
 */
class UnusedGlobal {}

for (const name of ['DOMMatrix', 'Path2D', 'ImageData']) {
  if (!(name in globalThis)) Object.assign(globalThis, { [name]: UnusedGlobal });
}
