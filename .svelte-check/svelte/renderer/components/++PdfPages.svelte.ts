///<reference types="svelte" />
;
import ChevronLeft from '@lucide/svelte/icons/chevron-left';
import ChevronRight from '@lucide/svelte/icons/chevron-right';
import Minus from '@lucide/svelte/icons/minus';
import Plus from '@lucide/svelte/icons/plus';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { onDestroy, type Snippet, untrack } from 'svelte';
import { m } from '../language.svelte.ts';
import IconButton from './IconButton.svelte';
;

  interface Props {
    /** Address of the PDF on our own origin. */
    src: string;
    /** Another number means that what lies there was changed. */
    version: number;
    name: string;
    /** Beside the page controls: which file is shown. */
    children?: Snippet;
  };function $$render() {

  
  
  
  
  
  
  
  


  const { src, version, name, children }: Props = $props();

  const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
  const FIT = 2;

  let pdf = $state.raw<PDFDocumentProxy | null>(null);
  let page = $state(1);
  let zoom = $state(FIT);
  let room = $state(0);
  let failed = $state(false);
  let drawn = $state('');
  let canvas = $state<HTMLCanvasElement>();

  const pages = $derived(pdf?.numPages ?? 1);
  const scale = $derived(zooms[zoom] ?? 1);
  let turn = 0;

  async function open(address: string): Promise<void> {
    const mine = ++turn;
    try {
      // Loaded when the first page is shown: it is large, and most screens never need it.
      const { openPdf } = await import('./pdf-document.ts');
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`The PDF was answered with ${answer.status}`);
      const next = await openPdf(new Uint8Array(await answer.arrayBuffer()));
      if (mine !== turn) return void next.loadingTask.destroy();
      void pdf?.loadingTask.destroy();
      pdf = next;
      page = Math.min(page, next.numPages);
      failed = false;
    } catch {
      // The reason is pdf.js's own and in English; the sentence shown says what to do.
      if (mine === turn) failed = true;
    }
  }

  async function draw(shown: PDFDocumentProxy, number: number, width: number): Promise<void> {
    const { drawPage } = await import('./pdf-document.ts');
    if (canvas === undefined || shown !== pdf || number !== page) return;
    try {
      await drawPage(shown, number, canvas, width);
      drawn = `${number}`;
    } catch {
      if (shown === pdf) failed = true;
    }
  }

  $effect(() => {
    void version;
    const address = src;
    untrack(() => void open(address));
  });

  $effect(() => {
    if (pdf === null || room === 0) return;
    const [shown, number, width] = [pdf, page, Math.round(room * scale)];
    untrack(() => void draw(shown, number, width));
  });

  onDestroy(() => {
    turn += 1;
    void pdf?.loadingTask.destroy();
  });

  const turnTo = (wanted: number): void => {
    page = Math.max(1, Math.min(pages, wanted));
  };
  const zoomTo = (wanted: number): void => {
    zoom = Math.max(0, Math.min(zooms.length - 1, wanted));
  };

  function press(event: KeyboardEvent): void {
    const isZoom = event.ctrlKey || event.metaKey;
    if (event.key === 'PageDown') turnTo(page + 1);
    else if (event.key === 'PageUp') turnTo(page - 1);
    else if (event.key === 'Home') turnTo(1);
    else if (event.key === 'End') turnTo(pages);
    else if (isZoom && (event.key === '+' || event.key === '=')) zoomTo(zoom + 1);
    else if (isZoom && event.key === '-') zoomTo(zoom - 1);
    else return;
    event.preventDefault();
  }
;
async () => {

 { svelteHTML.createElement("div", { "class":`pages`,});
   { svelteHTML.createElement("div", { "class":`tools`,});
     { svelteHTML.createElement("div", { "class":`which`,});;__sveltets_2_ensureSnippet(children?.()); }
     { const $$_nottuBnocI2C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI2C({ target: __sveltets_2_any(), props: {         "icon":ChevronLeft,"label":m.pdf_previous(),"inactive":page <= 1,"onclick":() => turnTo(page - 1),}});}
     { svelteHTML.createElement("span", {   "class":`place`,...__sveltets_2_empty({"data-testid":`pdf.place`}),});m.pdf_place({ page, pages }); }
     { const $$_nottuBnocI2C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI2C({ target: __sveltets_2_any(), props: {         "icon":ChevronRight,"label":m.pdf_next(),"inactive":page >= pages,"onclick":() => turnTo(page + 1),}});}
     { const $$_nottuBnocI2C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI2C({ target: __sveltets_2_any(), props: {         "icon":Minus,"label":m.pdf_zoom_out(),"inactive":zoom === 0,"onclick":() => zoomTo(zoom - 1),}});}
     { svelteHTML.createElement("span", { "class":`place`,});Math.round(scale * 100);  }
     { const $$_nottuBnocI2C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI2C({ target: __sveltets_2_any(), props: {         "icon":Plus,"label":m.pdf_zoom_in(),"inactive":zoom === zooms.length - 1,"onclick":() => zoomTo(zoom + 1),}});}
   }
  if(failed){ { svelteHTML.createElement("p", { "class":`failed`,});m.pdf_failed(); }}
  
  
   { svelteHTML.createElement("div", {         "class":`scroll`,"role":`group`,"aria-label":name,"tabindex":0,"onkeydown":press,});
     { const $$_div2 = svelteHTML.createElement("div", {  "class":`paper`,});room= $$_div2.clientWidth;
      if(drawn === '' && !failed){ { svelteHTML.createElement("p", { "class":`opening`,});m.pdf_opening({ name }); }}
       { svelteHTML.createElement("div", {           "role":`img`,"aria-label":m.pdf_page({ page, pages, name }),...__sveltets_2_empty({"data-drawn":drawn}),"hidden":drawn === '',...__sveltets_2_empty({"data-testid":`pdf.page`}),});
         { const $$_canvas4 = svelteHTML.createElement("canvas", { });canvas = $$_canvas4; }
       }
     }
   }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const PdfPages__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type PdfPages__SvelteComponent_ = ReturnType<typeof PdfPages__SvelteComponent_>;
/*Ωignore_endΩ*/export default PdfPages__SvelteComponent_;