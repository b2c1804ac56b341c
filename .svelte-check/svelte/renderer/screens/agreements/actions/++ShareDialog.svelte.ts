///<reference types="svelte" />
;
import Confirm from '../../../components/Confirm.svelte';
import Field from '../../../components/Field.svelte';
import RadioRow from '../../../components/RadioRow.svelte';
import { OrgNo, PersonNo, Sharing } from '../../../../shared/contract/actions.ts';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import { dayOf, isDay } from '../../../../shared/rules/days.ts';
import { isEmail } from '../../../../shared/rules/email.ts';
import { toV2 } from '../../../../shared/rules/identity.ts';
import { judgeOrganisationNumber } from '../../../../shared/rules/organisation-number.ts';
import { m } from '../../../language.svelte.ts';
import { actions } from '../../../state/agreement-actions.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  
  
  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  /** API v2, "Share Agreement". */
  const LONGEST_MESSAGE = 30_000;
  const today = dayOf(Date.now());

  let open = $state(true);
  let type = $state<'PERSON' | 'ORGANIZATION'>('PERSON');
  let time = $state<'permanent' | 'until'>('permanent');
  let typedNumber = $state('');
  let email = $state('');
  let message = $state('');
  let day = $state('');

  const personNo = $derived(toV2(typedNumber, today).value);
  const orgNo = $derived(judgeOrganisationNumber(typedNumber, today).value);
  const numberProblem = $derived.by(() => {
    if (typedNumber.trim() === '') return null;
    if (type === 'PERSON')
      return PersonNo.safeParse(personNo).success ? null : m.reject_number_wrong();
    return OrgNo.safeParse(orgNo).success ? null : m.share_org_wrong();
  });
  const emailProblem = $derived(
    email.trim() === '' || isEmail(email.trim()) ? null : m.email_wrong(),
  );
  const dayProblem = $derived(
    time === 'until' && day !== '' && (!isDay(day) || day < today) ? m.share_day_past() : null,
  );
  const sharing = $derived(
    Sharing.safeParse({
      with: type === 'PERSON' ? { type, personNo } : { type, orgNo },
      email: email.trim(),
      message: message.trim() === '' ? null : message,
      until: time === 'until' ? day : null,
    }),
  );
  const reason = $derived(
    sharing.success && emailProblem === null && dayProblem === null ? null : m.share_missing(),
  );
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {          children:() => { return __sveltets_2_any(0); },open,"title":m.share_title(),"confirm":m.share_confirm(),"cancel":m.common_cancel(),reason,"onconfirm":() => {
    const { connectionId, id } = agreement;
    if (sharing.success) void actions.share({ connectionId, id }, sharing.data);
  },}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.share_lead({ title: agreement.title || m.agreements_untitled() }); }
   { const $$_woRoidaR1C = __sveltets_2_ensureComponent(RadioRow); new $$_woRoidaR1C({ target: __sveltets_2_any(), props: {         "label":m.share_with(),"items":[
      { value: 'PERSON' as const, label: m.share_person() },
      { value: 'ORGANIZATION' as const, label: m.share_organisation() },
    ],"value":type,"onchoose":(chosen) => (type = chosen),}});}
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {   "label":type === 'PERSON' ? m.share_person_no() : m.share_org_no(),"problem":numberProblem,children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {              id,"autocomplete":`off`,"spellcheck":`false`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":typedNumber,...__sveltets_2_empty({"data-testid":`agreements.share.number`}),});/*Ωignore_startΩ*/() => typedNumber = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {     "label":m.share_email(),"hint":m.share_email_hint(),"problem":emailProblem,children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {              id,"type":`email`,"autocomplete":`off`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":email,...__sveltets_2_empty({"data-testid":`agreements.share.email`}),});/*Ωignore_startΩ*/() => email = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {   "label":m.share_message(),"counter":m.share_message_left({ count: message.length }),children:({ id, describedBy }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("textarea", {         id,"rows":3,"maxlength":LONGEST_MESSAGE,"aria-describedby":describedBy,"bind:value":message,});/*Ωignore_startΩ*/() => message = __sveltets_2_any(null);/*Ωignore_endΩ*/ }
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
   { const $$_woRoidaR1C = __sveltets_2_ensureComponent(RadioRow); new $$_woRoidaR1C({ target: __sveltets_2_any(), props: {         "label":m.share_time(),"items":[
      { value: 'permanent' as const, label: m.share_permanent() },
      { value: 'until' as const, label: m.share_until() },
    ],"value":time,"onchoose":(chosen) => (time = chosen),}});}
  if(time === 'until'){
     { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {     "label":m.share_day(),"hint":m.share_day_hint(),"problem":dayProblem,children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
         { svelteHTML.createElement("input", {              id,"type":`date`,"min":today,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":day,...__sveltets_2_empty({"data-testid":`agreements.share.day`}),});/*Ωignore_startΩ*/() => day = __sveltets_2_any(null);/*Ωignore_endΩ*/}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
      
     Field}
  }
 Confirm}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ShareDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ShareDialog__SvelteComponent_ = ReturnType<typeof ShareDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default ShareDialog__SvelteComponent_;