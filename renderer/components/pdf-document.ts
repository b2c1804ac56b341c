import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Where the build puts what pdf.js reads beside the page: character maps, fonts, decoders. */
const assets = (folder: string): string => new URL(`pdf/${folder}/`, document.baseURI).href;

let worker: PDFWorker | null = null;

/** Reads a PDF; it holds memory until its `destroy` of the loading task is called. */
export async function openPdf(data: Uint8Array): Promise<PDFDocumentProxy> {
  worker ??= new PDFWorker();
  const task = getDocument({
    data,
    worker,
    cMapUrl: assets('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: assets('standard_fonts'),
    wasmUrl: assets('wasm'),
    // The page's policy allows no WebAssembly; the same decoders exist as plain scripts.
    useWasm: false,
    // Only requests of the page itself are sure to be answered by every host.
    useWorkerFetch: false,
  });
  return task.promise;
}

/**
 * Draws one page onto `canvas`, `width` CSS pixels wide and as sharp as the screen. It is drawn
 * beside and then shown whole, so that a page never flickers while a person types.
 */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  width: number,
): Promise<void> {
  const page = await pdf.getPage(number);
  const scale = width / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale: scale * window.devicePixelRatio });
  const drawn = document.createElement('canvas');
  drawn.width = Math.round(viewport.width);
  drawn.height = Math.round(viewport.height);
  await page.render({ canvas: drawn, viewport }).promise;
  canvas.width = drawn.width;
  canvas.height = drawn.height;
  canvas.style.width = `${width}px`;
  canvas.getContext('2d')?.drawImage(drawn, 0, 0);
}
