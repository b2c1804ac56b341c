///<reference types="svelte" />
;
import { Dialog } from 'bits-ui';
import type { Snippet } from 'svelte';
;

  interface Props {
    open: boolean;
    title: string;
    close: string;
    /** Room for long lines. */
    wide?: boolean;
    children: Snippet;
    /** Buttons before the one that closes. */
    actions?: Snippet;
  };function $$render() {

  
  


  let { open = $bindable(), title, close, wide = false, children, actions }: Props = $props()/*Ωignore_startΩ*/;open;/*Ωignore_endΩ*/;

  let closeButton = $state<HTMLElement | null>(null);
;
async () => {

 { const $$_tooR_golaiD0C = __sveltets_2_ensureComponent(Dialog.Root); const $$_tooR_golaiD0 = new $$_tooR_golaiD0C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },open,}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_tooR_golaiD0.$$bindings = 'open';
   { const $$_latroP_golaiD1C = __sveltets_2_ensureComponent(Dialog.Portal); new $$_latroP_golaiD1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"to":`#overlays`,}});
     { const $$_yalrevO_golaiD2C = __sveltets_2_ensureComponent(Dialog.Overlay); new $$_yalrevO_golaiD2C({ target: __sveltets_2_any(), props: {  "class":`overlay`,}});}
     { const $$_tnetnoC_golaiD2C = __sveltets_2_ensureComponent(Dialog.Content); new $$_tnetnoC_golaiD2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"class":['dialog', { wide }],"onOpenAutoFocus":(event) => {
        event.preventDefault();
        closeButton?.focus();
      },}});
       { const $$_eltiT_golaiD3C = __sveltets_2_ensureComponent(Dialog.Title); new $$_eltiT_golaiD3C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"class":`dialog-title`,}});title; Dialog.Title}
       { svelteHTML.createElement("div", { "class":`dialog-body`,});;__sveltets_2_ensureSnippet(children()); }
       { svelteHTML.createElement("div", { "class":`dialog-actions`,});
        ;__sveltets_2_ensureSnippet(actions?.());
         { const $$_esolC_golaiD4C = __sveltets_2_ensureComponent(Dialog.Close); const $$_esolC_golaiD4 = new $$_esolC_golaiD4C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },ref:closeButton,"class":`dialog-cancel`,}});/*Ωignore_startΩ*/() => closeButton = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_esolC_golaiD4.$$bindings = 'ref';close; Dialog.Close}
       }
     Dialog.Content}
   Dialog.Portal}
 Dialog.Root}
};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('open'), slots: {}, events: {} }}
const InfoDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type InfoDialog__SvelteComponent_ = ReturnType<typeof InfoDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default InfoDialog__SvelteComponent_;