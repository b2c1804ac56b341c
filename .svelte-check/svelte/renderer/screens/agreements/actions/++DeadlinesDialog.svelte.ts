///<reference types="svelte" />
;
import { onMount } from 'svelte';
import Confirm from '../../../components/Confirm.svelte';
import MomentField from '../../../components/MomentField.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import { closedStates } from '../../../../shared/model/agreement.ts';
import { m } from '../../../language.svelte.ts';
import { changes } from '../../../state/agreement-changes.svelte.ts';
import { extras } from '../../../state/agreement-extras.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  /** Undefined until a person changes it: then what the service holds is shown. */
  let newExpiry = $state<number | null>();
  let newDeletion = $state<number | null>();
  let isRead = $state(false);

  const expires = $derived(newExpiry === undefined ? agreement.expiresAt : newExpiry);
  const deletes = $derived(newDeletion === undefined ? agreement.deletesAt : newDeletion);
  const isClosed = $derived(closedStates.includes(agreement.state));
  const now = Date.now();

  const wanted = $derived({
    ...(expires !== null && expires !== agreement.expiresAt ? { expiresAt: expires } : {}),
    ...(deletes !== null && deletes !== agreement.deletesAt ? { deletesAt: deletes } : {}),
  });
  const expiryProblem = $derived(problemOf(expires, agreement.expiresAt));
  const deletionProblem = $derived.by(() => {
    const problem = problemOf(deletes, agreement.deletesAt);
    if (problem !== null || isClosed || expires === null || deletes === null) return problem;
    return deletes > expires ? null : m.deadlines_order();
  });
  const reason = $derived.by(() => {
    if (!isRead) return m.act_reading();
    if (expiryProblem !== null || deletionProblem !== null) return m.deadlines_wrong();
    return Object.keys(wanted).length === 0 ? m.deadlines_same() : null;
  });

  function problemOf(value: number | null, before: number | null): string | null {
    if (value === before) return null;
    if (value === null) return m.deadlines_no_empty();
    return value > now ? null : m.deadlines_past();
  }

  onMount(() => void extras.readForChange().then(() => (isRead = true)));
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {          children:() => { return __sveltets_2_any(0); },open,"title":m.deadlines_title(),"confirm":m.deadlines_confirm(),"cancel":m.common_cancel(),reason,"onconfirm":() => {
    const { connectionId, id } = agreement;
    void changes.change({ connectionId, id }, wanted);
  },}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
  if(!isClosed){
     { const $$_dleiFtnemoM1C = __sveltets_2_ensureComponent(MomentField); const $$_dleiFtnemoM1 = new $$_dleiFtnemoM1C({ target: __sveltets_2_any(), props: {            "label":m.deadlines_expires(),"hint":m.deadlines_expires_hint(),"problem":expiryProblem,value:__sveltets_2_get_set_binding(() => expires,(value) => (newExpiry = value)),"testid":`agreements.deadlines.expires`,}});$$_dleiFtnemoM1.$$bindings = 'value';}
  }
   { const $$_dleiFtnemoM1C = __sveltets_2_ensureComponent(MomentField); const $$_dleiFtnemoM1 = new $$_dleiFtnemoM1C({ target: __sveltets_2_any(), props: {            "label":m.deadlines_deletes(),"hint":m.deadlines_deletes_hint(),"problem":deletionProblem,value:__sveltets_2_get_set_binding(() => deletes,(value) => (newDeletion = value)),"testid":`agreements.deadlines.deletes`,}});$$_dleiFtnemoM1.$$bindings = 'value';}
 Confirm}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const DeadlinesDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type DeadlinesDialog__SvelteComponent_ = ReturnType<typeof DeadlinesDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default DeadlinesDialog__SvelteComponent_;