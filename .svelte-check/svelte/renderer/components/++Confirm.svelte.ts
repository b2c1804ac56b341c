///<reference types="svelte" />
;
import { AlertDialog } from 'bits-ui';
import type { Snippet } from 'svelte';
import Button from './Button.svelte';
;

  interface Props {
    open: boolean;
    title: string;
    /** The verb and its count, "Sign 2 agreements". */
    confirm: string;
    cancel: string;
    danger?: boolean;
    /** Why it cannot be confirmed yet. */
    reason?: string | null;
    onconfirm: () => void;
    children: Snippet;
  };function $$render() {

  
  
  


  let {
    open = $bindable(),
    title,
    confirm,
    cancel,
    danger = false,
    reason = null,
    onconfirm,
    children,
  }: Props = $props()/*Ωignore_startΩ*/;open;/*Ωignore_endΩ*/;

  let cancelButton = $state<HTMLElement | null>(null);
;
async () => {


 { const $$_tooR_golaiDtrelA0C = __sveltets_2_ensureComponent(AlertDialog.Root); const $$_tooR_golaiDtrelA0 = new $$_tooR_golaiDtrelA0C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },open,}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_tooR_golaiDtrelA0.$$bindings = 'open';
   { const $$_latroP_golaiDtrelA1C = __sveltets_2_ensureComponent(AlertDialog.Portal); new $$_latroP_golaiDtrelA1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"to":`#overlays`,}});
     { const $$_yalrevO_golaiDtrelA2C = __sveltets_2_ensureComponent(AlertDialog.Overlay); new $$_yalrevO_golaiDtrelA2C({ target: __sveltets_2_any(), props: {  "class":`overlay`,}});}
     { const $$_tnetnoC_golaiDtrelA2C = __sveltets_2_ensureComponent(AlertDialog.Content); new $$_tnetnoC_golaiDtrelA2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"class":`dialog`,"onOpenAutoFocus":(event) => {
        event.preventDefault();
        cancelButton?.focus();
      },}});
       { const $$_eltiT_golaiDtrelA3C = __sveltets_2_ensureComponent(AlertDialog.Title); new $$_eltiT_golaiDtrelA3C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"class":`dialog-title`,}});title; AlertDialog.Title}
       { const $$_noitpircseD_golaiDtrelA3C = __sveltets_2_ensureComponent(AlertDialog.Description); const $$_noitpircseD_golaiDtrelA3 = new $$_noitpircseD_golaiDtrelA3C({ target: __sveltets_2_any(), props: { "class":`dialog-body`,child:({ props }) => { async ()/*Ωignore_positionΩ*/ => {
           { svelteHTML.createElement("div", {...props,});;__sveltets_2_ensureSnippet(children()); }
        };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {child} = $$_noitpircseD_golaiDtrelA3.$$prop_def;/*Ωignore_endΩ*/
        
       AlertDialog.Description}
       { svelteHTML.createElement("div", { "class":`dialog-actions`,});
         { const $$_lecnaC_golaiDtrelA4C = __sveltets_2_ensureComponent(AlertDialog.Cancel); const $$_lecnaC_golaiDtrelA4 = new $$_lecnaC_golaiDtrelA4C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },ref:cancelButton,"class":`dialog-cancel`,}});/*Ωignore_startΩ*/() => cancelButton = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_lecnaC_golaiDtrelA4.$$bindings = 'ref';cancel;  AlertDialog.Cancel}
         { const $$_nottuB4C = __sveltets_2_ensureComponent(Button); new $$_nottuB4C({ target: __sveltets_2_any(), props: {      children:() => { return __sveltets_2_any(0); },"kind":danger ? 'danger' : 'primary',reason,"onclick":() => {
            open = false;
            onconfirm();
          },}});
          confirm;
         Button}
       }
     AlertDialog.Content}
   AlertDialog.Portal}
 AlertDialog.Root}
};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('open'), slots: {}, events: {} }}
const Confirm__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Confirm__SvelteComponent_ = ReturnType<typeof Confirm__SvelteComponent_>;
/*Ωignore_endΩ*/export default Confirm__SvelteComponent_;