///<reference types="svelte" />
;
import { Dialog } from 'bits-ui';
import ShortcutTable from './ShortcutTable.svelte';
import { m } from '../language.svelte.ts';
import { shortcuts } from '../state/shortcuts.svelte.ts';
function $$render() {

  
  
  
  
;
async () => {

 { const $$_tooR_golaiD0C = __sveltets_2_ensureComponent(Dialog.Root); const $$_tooR_golaiD0 = new $$_tooR_golaiD0C({ target: __sveltets_2_any(), props: {  children:() => { return __sveltets_2_any(0); },open:shortcuts.sheetOpen,}});/*Ωignore_startΩ*/() => shortcuts.sheetOpen = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_tooR_golaiD0.$$bindings = 'open';
   { const $$_latroP_golaiD1C = __sveltets_2_ensureComponent(Dialog.Portal); new $$_latroP_golaiD1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"to":`#overlays`,}});
     { const $$_yalrevO_golaiD2C = __sveltets_2_ensureComponent(Dialog.Overlay); new $$_yalrevO_golaiD2C({ target: __sveltets_2_any(), props: {  "class":`overlay`,}});}
     { const $$_tnetnoC_golaiD2C = __sveltets_2_ensureComponent(Dialog.Content); new $$_tnetnoC_golaiD2C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"class":`dialog`,"data-testid":`shortcuts`,}});
       { const $$_eltiT_golaiD3C = __sveltets_2_ensureComponent(Dialog.Title); new $$_eltiT_golaiD3C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"class":`dialog-title`,}});m.sheet_title(); Dialog.Title}
       { const $$_elbaTtuctrohS3C = __sveltets_2_ensureComponent(ShortcutTable); new $$_elbaTtuctrohS3C({ target: __sveltets_2_any(), props: {}});}
       { svelteHTML.createElement("div", { "class":`dialog-actions`,});
         { const $$_esolC_golaiD4C = __sveltets_2_ensureComponent(Dialog.Close); new $$_esolC_golaiD4C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"class":`dialog-cancel`,}});m.sheet_close(); Dialog.Close}
       }
     Dialog.Content}
   Dialog.Portal}
 Dialog.Root}
};
return { props: {} as Record<string, never>, exports: {}, bindings: "", slots: {}, events: {} }}
const ShortcutSheet__SvelteComponent_ = __sveltets_2_isomorphic_component(__sveltets_2_with_any_event($$render()));
/*Ωignore_startΩ*/type ShortcutSheet__SvelteComponent_ = InstanceType<typeof ShortcutSheet__SvelteComponent_>;
/*Ωignore_endΩ*/export default ShortcutSheet__SvelteComponent_;