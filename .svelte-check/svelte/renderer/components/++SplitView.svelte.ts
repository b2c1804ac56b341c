///<reference types="svelte" />
;
import X from '@lucide/svelte/icons/x';
import type { Snippet } from 'svelte';
import { m } from '../language.svelte.ts';
;

  interface Props {
    /** What the side shows, as a landmark. */
    label: string;
    /** The side is wanted; in narrow windows it then covers the list. */
    open: boolean;
    onclose: () => void;
    /** The list. */
    children: Snippet;
    side: Snippet;
  };function $$render() {

  
  
  


  const { label, open, onclose, children, side }: Props = $props();

  const NARROWEST = 260;
  const WIDEST = 720;
  const STEP = 24;

  let width = $state(380);
  let dragging = $state(false);
  let closeButton = $state<HTMLElement>();

  // Only where the side covers the list is there a button to close it, and focus to move.
  $effect(() => {
    if (open && closeButton?.checkVisibility() === true) closeButton.focus();
  });

  const resize = (wanted: number): void => {
    width = Math.round(Math.max(NARROWEST, Math.min(WIDEST, wanted)));
  };

  function press(event: KeyboardEvent): void {
    if (event.key === 'ArrowLeft') resize(width + STEP);
    else if (event.key === 'ArrowRight') resize(width - STEP);
    else return;
    event.preventDefault();
  }

  function drag(event: PointerEvent & { currentTarget: HTMLElement }): void {
    const edge = event.currentTarget.parentElement?.getBoundingClientRect().right;
    if (dragging && edge !== undefined) resize(edge - event.clientX);
  }
;
async () => {

  { svelteHTML.createElement("div", {       "class":['split', { open }],"role":`presentation`,"onkeydown":(event) => {
    if (event.key === 'Escape' && open) onclose();
  },});__sveltets_2_ensureType(String, Number, `${width} `);
   { svelteHTML.createElement("div", {  "class":`list`,...__sveltets_2_empty({"data-pane":true}),});;__sveltets_2_ensureSnippet(children()); }
  
  
   { svelteHTML.createElement("div", {                         "class":`separator`,"role":`separator`,"aria-orientation":`vertical`,"aria-label":m.split_width(),"aria-valuenow":width,"aria-valuemin":NARROWEST,"aria-valuemax":WIDEST,"tabindex":0,"onkeydown":press,"onpointerdown":(event) => {
      dragging = true;
      event.currentTarget.setPointerCapture(event.pointerId);
    },"onpointermove":drag,"onpointerup":() => (dragging = false),}); }
   { svelteHTML.createElement("aside", {   "aria-label":label,...__sveltets_2_empty({"data-pane":true}),"tabindex":-1,});
     { const $$_button2 = svelteHTML.createElement("button", {          "type":`button`,"class":`close`,"onclick":onclose,"aria-label":m.split_close(),});closeButton = $$_button2;
       { const $$_X3C = __sveltets_2_ensureComponent(X); new $$_X3C({ target: __sveltets_2_any(), props: {    "size":16,"aria-hidden":`true`,}});}
     }
    ;__sveltets_2_ensureSnippet(side());
   }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SplitView__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SplitView__SvelteComponent_ = ReturnType<typeof SplitView__SvelteComponent_>;
/*Ωignore_endΩ*/export default SplitView__SvelteComponent_;