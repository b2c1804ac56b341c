/** What pdf.js reads files with; it is asked for by name where nothing has loaded it before. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs' {
  export const WorkerMessageHandler: unknown;
}
