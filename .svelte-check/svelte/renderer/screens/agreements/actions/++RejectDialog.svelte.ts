///<reference types="svelte" />
;
import Confirm from '../../../components/Confirm.svelte';
import Field from '../../../components/Field.svelte';
import { PersonNo, Rejection } from '../../../../shared/contract/actions.ts';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import type { Party } from '../../../../shared/model/agreement.ts';
import { dayOf } from '../../../../shared/rules/days.ts';
import { toV2 } from '../../../../shared/rules/identity.ts';
import { judgeOrganisationNumber } from '../../../../shared/rules/organisation-number.ts';
import { m } from '../../../language.svelte.ts';
import { actions } from '../../../state/agreement-actions.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails; party: Party };function $$render() {

  
  
  
  
  
  
  
  
  
  

  const { agreement, party }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  let typed = $state('');
  const today = dayOf(Date.now());

  const isPerson = $derived(party.kind === 'person');
  const personNo = $derived(toV2(typed, today).value);
  const orgNo = $derived(judgeOrganisationNumber(party.orgNo ?? '', today).value);
  const rejection = $derived(
    Rejection.safeParse(
      isPerson ? { partyType: 'PRIVATE', personNo } : { partyType: 'COMPANY', personNo, orgNo },
    ),
  );
  const problem = $derived(
    typed.trim() === '' || PersonNo.safeParse(personNo).success ? null : m.reject_number_wrong(),
  );
  const reason = $derived.by(() => {
    if (typed.trim() === '') return m.reject_number_missing();
    return rejection.success ? null : m.reject_number_wrong();
  });
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {           children:() => { return __sveltets_2_any(0); },open,"title":m.reject_title({ name: party.name }),"confirm":m.reject_confirm(),"cancel":m.common_cancel(),"danger":true,reason,"onconfirm":() => {
    const { connectionId, id } = agreement;
    if (rejection.success) void actions.reject({ connectionId, id }, rejection.data, party.name);
  },}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});
    m.reject_lead({ title: agreement.title || m.agreements_untitled(), name: party.name });
   }
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {      "label":isPerson ? m.reject_number({ name: party.name }) : m.reject_number_company(),"hint":isPerson ? m.reject_number_hint() : m.reject_number_company_hint({ name: party.name }),problem,children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {              id,"autocomplete":`off`,"spellcheck":`false`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":typed,...__sveltets_2_empty({"data-testid":`agreements.reject.number`}),});/*Ωignore_startΩ*/() => typed = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
 Confirm}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const RejectDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type RejectDialog__SvelteComponent_ = ReturnType<typeof RejectDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default RejectDialog__SvelteComponent_;