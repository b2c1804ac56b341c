/*
 * Comes before pdf.js, which makes some of a browser's classes as soon as it is loaded and asks for a
 * package that draws. Only drawing needs them, and nothing is drawn here.
 */
class Unused {}

for (const name of ['DOMMatrix', 'Path2D', 'ImageData']) {
  if (!(name in globalThis)) Object.assign(globalThis, { [name]: Unused });
}
