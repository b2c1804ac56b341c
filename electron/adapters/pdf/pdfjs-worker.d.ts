/** The reader of pdf.js, which pdf.js loads by name unless it is already loaded. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs' {
  export const WorkerMessageHandler: unknown;
}
