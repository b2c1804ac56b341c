///<reference types="svelte" />
;
import ActionMenu from '../../components/ActionMenu.svelte';
import Button from '../../components/Button.svelte';
import type { MenuAction } from '../../components/menu-action.ts';
import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import { m } from '../../language.svelte.ts';
import { go } from '../../state/router.svelte.ts';
import { actionGroups } from './agreement-action-list.ts';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const groups = $derived(actionGroups(agreement));
  /** What cannot be done now stands in the menu, with its reason. */
  const buttons = $derived(groups.main.filter(({ reason }) => reason === null));
  const rest = $derived(groups.main.filter(({ reason }) => reason !== null));
  const menu: readonly (readonly MenuAction[])[] = $derived([
    [...rest, ...groups.more],
    groups.facts,
    groups.final,
  ]);
;
async () => {

 { svelteHTML.createElement("div", { "class":`actions`,});
  if(agreement.myTurn){
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`primary`,"onclick":() => go('signing'),}});m.detail_open_queue(); Button}
  }
     for(let { id, label, run } of __sveltets_2_ensureArray(buttons)){id;
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"onclick":run,"data-testid":`agreements.${id}`,}});label; Button}
  }
   { const $$_uneMnoitcA1C = __sveltets_2_ensureComponent(ActionMenu); new $$_uneMnoitcA1C({ target: __sveltets_2_any(), props: {      "label":m.act_more(),"groups":menu,"testid":`agreements.more`,}});}
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const AgreementActions__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type AgreementActions__SvelteComponent_ = ReturnType<typeof AgreementActions__SvelteComponent_>;
/*Ωignore_endΩ*/export default AgreementActions__SvelteComponent_;