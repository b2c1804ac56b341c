///<reference types="svelte" />
;
import { m } from '../language.svelte.ts';
import { activity } from '../state/activity.svelte.ts';
import { host } from '../state/host.svelte.ts';
import { jobs } from '../state/jobs.svelte.ts';
import { outbox } from '../state/outbox.svelte.ts';
import { hrefOf } from '../state/router.svelte.ts';
import HeldSend from './HeldSend.svelte';
import JobProgress from './JobProgress.svelte';
import { keyNames } from './key-names.ts';
function $$render() {

  
  
  
  
  
  
  
  
  

  const undoKeys = $derived(keyNames('$mod+z', host.value?.platform ?? 'linux'));
  const newestHeld = $derived(outbox.held[0]);
;
async () => {


 { svelteHTML.createElement("footer", {     "class":`bar`,"aria-label":m.activity_label(),...__sveltets_2_empty({"data-pane":true}),"tabindex":-1,});
   { svelteHTML.createElement("p", {   "role":`status`,...__sveltets_2_empty({"data-testid":`activity.message`}),});activity.message; }
  if(newestHeld){
     { svelteHTML.createElement("div", {   "class":`part`,...__sveltets_2_empty({"data-testid":`activity.held`}),});
       { const $$_dneSdleH2C = __sveltets_2_ensureComponent(HeldSend); new $$_dneSdleH2C({ target: __sveltets_2_any(), props: {    "item":newestHeld,"keys":undoKeys,}});}
     }
  }
     for(let job of __sveltets_2_ensureArray(jobs.running)){job.id;
     { svelteHTML.createElement("div", {   "class":`part`,...__sveltets_2_empty({"data-testid":`activity.job`}),}); { const $$_ssergorPboJ2C = __sveltets_2_ensureComponent(JobProgress); new $$_ssergorPboJ2C({ target: __sveltets_2_any(), props: { job,}});} }
  }
  if(outbox.attention > 0){
     { svelteHTML.createElement("a", { "href":hrefOf('outbox'),});m.activity_attention({ count: outbox.attention }); }
  }
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ActivityBar__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ActivityBar__SvelteComponent_ = ReturnType<typeof ActivityBar__SvelteComponent_>;
/*Ωignore_endΩ*/export default ActivityBar__SvelteComponent_;