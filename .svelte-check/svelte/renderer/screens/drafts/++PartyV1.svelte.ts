///<reference types="svelte" />
;
import type { PartyV1 } from '../../../shared/model/agreement-v1.ts';
import { nameV1 } from '../../../shared/rules/draft-contacts.ts';
import { toE164 } from '../../../shared/rules/phone.ts';
import Button from '../../components/Button.svelte';
import Chips from '../../components/Chips.svelte';
import { m } from '../../language.svelte.ts';
import { startMethod } from '../../state/draft-start.ts';
import CountryRow from './CountryRow.svelte';
import { editing } from './editing.ts';
import MethodV1 from './MethodV1.svelte';
import OrderRow from './OrderRow.svelte';
import PartyFrame from './PartyFrame.svelte';
import ProblemNote from './ProblemNote.svelte';
import SecretRow from './SecretRow.svelte';
import TextRow from './TextRow.svelte';
;

  interface Props {
    party: PartyV1;
    index: number;
    count: number;
    onmove: (to: number) => void;
    onremove: () => void;
  };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  


  let { party = $bindable(), index, count, onmove, onremove }: Props = $props()/*Ωignore_startΩ*/;party;/*Ωignore_endΩ*/;

  const { editor } = editing();
  const path = $derived(`parties.${index}`);
  const kinds = $derived([
    { value: 'PRIVATE', label: m.draft_person() },
    { value: 'COMPANY', label: m.draft_company() },
    { value: 'MY_COMPANY', label: m.draft_my_company() },
  ] as const);
  const name = $derived(nameV1(party) || (party.type === 'MY_COMPANY' ? m.draft_my_company() : ''));

  function wholeMobile(): void {
    const whole = toE164(party.mobile ?? '', party.country);
    if (whole === null || whole === party.mobile) return;
    party.mobile = whole;
    editor.touch();
  }
;
async () => {

 { const $$_emarFytraP0C = __sveltets_2_ensureComponent(PartyFrame); const $$_emarFytraP0 = new $$_emarFytraP0C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },index,count,name,path,onmove,onremove,kind:() => { async ()/*Ωignore_positionΩ*/ => {
     { const $$_spihC0C = __sveltets_2_ensureComponent(Chips); new $$_spihC0C({ target: __sveltets_2_any(), props: {         "label":m.draft_party_kind(),"items":kinds,"value":party.type,"onchoose":(type) => {
        editor.memory.convert(party, type);
        editor.touch();
      },}});}
  };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {kind} = $$_emarFytraP0.$$prop_def;/*Ωignore_endΩ*/
  
  if(party.type === 'PRIVATE'){
     { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {      "label":m.draft_first_name(),"path":`${path}.firstName`,value:party.firstName,}});/*Ωignore_startΩ*/() => party.firstName = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
     { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {      "label":m.draft_last_name(),"path":`${path}.lastName`,value:party.lastName,}});/*Ωignore_startΩ*/() => party.lastName = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
  } else if (party.type === 'COMPANY'){
     { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {      "label":m.draft_company_name(),"path":`${path}.name`,value:party.name,}});/*Ωignore_startΩ*/() => party.name = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
     { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {       "label":m.draft_company_number(),"path":`${path}.companyNumber`,value:party.companyNumber,}});/*Ωignore_startΩ*/() => party.companyNumber = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
  }else{
     { svelteHTML.createElement("p", { "class":`wide note`,});m.draft_my_company_note(); }
  }
   { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {        "label":m.draft_email(),"path":`${path}.email`,"type":`email`,value:party.email,}});/*Ωignore_startΩ*/() => party.email = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
   { const $$_woRtxeT1C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT1 = new $$_woRtxeT1C({ target: __sveltets_2_any(), props: {             "label":m.draft_mobile(),"path":`${path}.mobile`,"type":`tel`,"hint":m.draft_mobile_hint_v1(),value:party.mobile,"onleave":wholeMobile,}});/*Ωignore_startΩ*/() => party.mobile = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT1.$$bindings = 'value';}
  if(party.type !== 'MY_COMPANY'){
     { const $$_woRyrtnuoC1C = __sveltets_2_ensureComponent(CountryRow); new $$_woRyrtnuoC1C({ target: __sveltets_2_any(), props: {         "label":m.draft_country(),"path":`${path}.country`,"value":party.country,"onchoose":(country) => {
        party.country = country;
        editor.touch();
      },}});}
  }
  if(party.type === 'PRIVATE'){
     { const $$_woRterceS1C = __sveltets_2_ensureComponent(SecretRow); const $$_woRterceS1 = new $$_woRterceS1C({ target: __sveltets_2_any(), props: {         "label":m.draft_person_number(),"path":`${path}.personNumber`,"hint":m.draft_person_number_hint(),value:party.personNumber,}});/*Ωignore_startΩ*/() => party.personNumber = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRterceS1.$$bindings = 'value';}
  }
   { const $$_woRredrO1C = __sveltets_2_ensureComponent(OrderRow); const $$_woRredrO1 = new $$_woRredrO1C({ target: __sveltets_2_any(), props: {    "path":`${path}.signingOrder`,value:party.signingOrder,}});/*Ωignore_startΩ*/() => party.signingOrder = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRredrO1.$$bindings = 'value';}
      for(let method of __sveltets_2_ensureArray(party.signingConfigurations)){let place = 1;place;
     { const $$_1VdohteM1C = __sveltets_2_ensureComponent(MethodV1); const $$_1VdohteM1 = new $$_1VdohteM1C({ target: __sveltets_2_any(), props: {         method:__sveltets_2_get_set_binding(() => method,(next) => (party.signingConfigurations[place] = next)),party,"path":`${path}.signingConfigurations.${place}`,"onremove":party.signingConfigurations.length === 1
        ? null
        : () => {
            party.signingConfigurations.splice(place, 1);
            editor.touch();
          },}});$$_1VdohteM1.$$bindings = 'method';}
  }
   { svelteHTML.createElement("div", { "class":`wide more`,});
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"data-field":`${path}.signingConfigurations`,"onclick":() => {
        party.signingConfigurations.push(startMethod('SMS_OTP', party));
        editor.touch();
      },}});
      m.draft_add_method();
     Button}
     { svelteHTML.createElement("span", { "class":`note`,});m.draft_methods_hint(); }
     { const $$_etoNmelborP2C = __sveltets_2_ensureComponent(ProblemNote); new $$_etoNmelborP2C({ target: __sveltets_2_any(), props: {  "path":`${path}.signingConfigurations`,}});}
   }
 PartyFrame}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('party'), slots: {}, events: {} }}
const PartyV1__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type PartyV1__SvelteComponent_ = ReturnType<typeof PartyV1__SvelteComponent_>;
/*Ωignore_endΩ*/export default PartyV1__SvelteComponent_;