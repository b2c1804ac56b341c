///<reference types="svelte" />
;
import type { CompanyPartyV2, PrivatePartyV2 } from '../../../shared/model/agreement-v2.ts';
import { fullName } from '../../../shared/rules/draft-contacts.ts';
import { toSpacedMobile } from '../../../shared/rules/phone.ts';
import { m } from '../../language.svelte.ts';
import { methodsV2, methodV2 } from '../../method-text.ts';
import ChoiceRow from './ChoiceRow.svelte';
import { editing } from './editing.ts';
import OrderRow from './OrderRow.svelte';
import PartyFrame from './PartyFrame.svelte';
import SecretRow from './SecretRow.svelte';
import TextRow from './TextRow.svelte';
;

  interface Props {
    party: Omit<PrivatePartyV2, 'personNo'> & Omit<CompanyPartyV2, 'orgNo'>;
    /** The person's or the organisation's. */
    number: string | undefined;
    list: 'privates' | 'companies';
    index: number;
    count: number;
    before?: number;
    onmove: (to: number) => void;
    onremove: () => void;
  };function $$render() {

  
  
  
  
  
  
  
  
  
  
  


  let {
    party = $bindable(),
    number = $bindable(),
    list,
    index,
    count,
    before = 0,
    onmove,
    onremove,
  }: Props = $props()/*Ωignore_startΩ*/;party;number;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const path = $derived(`parties.${list}.${index}`);
  const items = $derived(methodsV2.map((value) => ({ value, label: methodV2(value) })));
  const word = $derived(list === 'privates' ? m.draft_person() : m.draft_company());

  function wholeMobile(): void {
    // Sweden's service: a number without a country code is a Swedish one.
    const whole = toSpacedMobile(party.mobile ?? '', 'SE');
    if (whole === null || whole === party.mobile) return;
    party.mobile = whole;
    editor.touch();
  }
;
async () => {

 { const $$_emarFytraP0C = __sveltets_2_ensureComponent(PartyFrame); const $$_emarFytraP0 = new $$_emarFytraP0C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },index,count,before,"name":fullName(party),path,onmove,onremove,kind:() => { async ()/*Ωignore_positionΩ*/ => { { svelteHTML.createElement("span", { "class":`note`,});word; }};return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {kind} = $$_emarFytraP0.$$prop_def;/*Ωignore_endΩ*/
  
  if(list === 'companies'){
     { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {      "label":m.draft_company_number(),"path":`${path}.orgNo`,value:number,}});/*Ωignore_startΩ*/() => number = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
     { svelteHTML.createElement("p", { "class":`wide note`,});m.draft_reference_person(); }
  }
   { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {      "label":m.draft_first_name(),"path":`${path}.firstName`,value:party.firstName,}});/*Ωignore_startΩ*/() => party.firstName = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
   { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {      "label":m.draft_last_name(),"path":`${path}.lastName`,value:party.lastName,}});/*Ωignore_startΩ*/() => party.lastName = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
  if(list === 'privates'){
     { const $$_woRterceS1C = __sveltets_2_ensureComponent(SecretRow); const $$_woRterceS1 = new $$_woRterceS1C({ target: __sveltets_2_any(), props: {      "label":m.draft_person_number(),"path":`${path}.personNo`,value:number,}});/*Ωignore_startΩ*/() => number = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRterceS1.$$bindings = 'value';}
  }
   { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {        "label":m.draft_email(),"path":`${path}.email`,"type":`email`,value:party.email,}});/*Ωignore_startΩ*/() => party.email = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
   { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {             "label":m.draft_mobile(),"path":`${path}.mobile`,"type":`tel`,"hint":m.draft_mobile_hint_v2(),value:party.mobile,"onleave":wholeMobile,}});/*Ωignore_startΩ*/() => party.mobile = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
   { const $$_woReciohC1C = __sveltets_2_ensureComponent(ChoiceRow); new $$_woReciohC1C({ target: __sveltets_2_any(), props: {          "label":m.draft_method(),"path":`${path}.signMethods`,"value":party.signMethods?.[0] ?? 'EID',items,"onchoose":(method) => {
      party.signMethods = [method];
      editor.touch();
    },}});}
   { const $$_woRredrO1C = __sveltets_2_ensureComponent(OrderRow); const $$_woRredrO1 = new $$_woRredrO1C({ target: __sveltets_2_any(), props: {    "path":`${path}.signingOrder`,value:party.signingOrder,}});/*Ωignore_startΩ*/() => party.signingOrder = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRredrO1.$$bindings = 'value';}
 PartyFrame}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('party', 'number'), slots: {}, events: {} }}
const PartyV2__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type PartyV2__SvelteComponent_ = ReturnType<typeof PartyV2__SvelteComponent_>;
/*Ωignore_endΩ*/export default PartyV2__SvelteComponent_;