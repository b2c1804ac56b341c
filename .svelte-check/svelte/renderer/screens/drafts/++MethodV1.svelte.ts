///<reference types="svelte" />
;
import X from '@lucide/svelte/icons/x';
import type { PartyV1, SigningConfigurationV1 } from '../../../shared/model/agreement-v1.ts';
import { toE164 } from '../../../shared/rules/phone.ts';
import IconButton from '../../components/IconButton.svelte';
import { m } from '../../language.svelte.ts';
import { methodsV1, methodV1 } from '../../method-text.ts';
import { startMethod, withCountry } from '../../state/draft-start.ts';
import ChoiceRow from './ChoiceRow.svelte';
import CountryRow from './CountryRow.svelte';
import { editing } from './editing.ts';
import SecretRow from './SecretRow.svelte';
import TextRow from './TextRow.svelte';
;

  interface Props {
    method: SigningConfigurationV1;
    party: PartyV1;
    path: string;
    /** Null where it is the only one. */
    onremove: (() => void) | null;
  };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  


  let { method = $bindable(), party, path, onremove }: Props = $props()/*Ωignore_startΩ*/;method;/*Ωignore_endΩ*/;

  /** API v1, "TBS": what the Swedish e-identity shows. */
  const SENDER_MOST = 25;
  const TEXT_MOST = 400;

  const { editor } = editing();
  const look = $derived(methodV1(method.type));
  const items = $derived(methodsV1.map((value) => ({ value, label: methodV1(value).word() })));

  function change(next: SigningConfigurationV1): void {
    method = next;
    editor.touch();
  }

  function setTbs(part: 'sender' | 'description', text: string | undefined): void {
    method.tbs = { ...method.tbs, [part]: text ?? '' };
    if (!method.tbs.sender && !method.tbs.description) delete method.tbs;
    editor.touch();
  }
;
async () => {

 { svelteHTML.createElement("div", { "class":`wide method`,});
   { svelteHTML.createElement("div", { "class":`choice`,});
     { const $$_woReciohC2C = __sveltets_2_ensureComponent(ChoiceRow); new $$_woReciohC2C({ target: __sveltets_2_any(), props: {            "label":m.draft_method(),"path":`${path}.type`,"value":method.type,items,"hint":look.strength(),"onchoose":(type) => change(startMethod(type, party)),}});}
    if(onremove){
       { const $$_nottuBnocI2C = __sveltets_2_ensureComponent(IconButton); new $$_nottuBnocI2C({ target: __sveltets_2_any(), props: {       "icon":X,"label":m.draft_remove_method({ method: look.word() }),"onclick":onremove,}});}
    }
   }
  if(method.type === 'EID'){
     { svelteHTML.createElement("div", { "class":`fields`,});
       { const $$_woRyrtnuoC2C = __sveltets_2_ensureComponent(CountryRow); new $$_woRyrtnuoC2C({ target: __sveltets_2_any(), props: {         "label":m.draft_method_country(),"path":`${path}.country`,"value":method.country,"onchoose":(country) => change(withCountry(method, country)),}});}
       { const $$_woRterceS2C = __sveltets_2_ensureComponent(SecretRow); const $$_woRterceS2 = new $$_woRterceS2C({ target: __sveltets_2_any(), props: {         "label":m.draft_identifier(),"path":`${path}.identifier`,"hint":m.draft_identifier_hint(),value:method.identifier,}});/*Ωignore_startΩ*/() => method.identifier = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRterceS2.$$bindings = 'value';}
      if(method.country === 'SE'){
         { const $$_woRtxeT2C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT2 = new $$_woRtxeT2C({ target: __sveltets_2_any(), props: {          "label":m.draft_tbs_sender(),"path":`${path}.tbs.sender`,"most":SENDER_MOST,value:__sveltets_2_get_set_binding(() => method.tbs?.sender,(text) => setTbs('sender', text)),}});$$_woRtxeT2.$$bindings = 'value';}
         { const $$_woRtxeT2C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT2 = new $$_woRtxeT2C({ target: __sveltets_2_any(), props: {          "label":m.draft_tbs_text(),"path":`${path}.tbs.description`,"most":TEXT_MOST,value:__sveltets_2_get_set_binding(() => method.tbs?.description,(text) => setTbs('description', text)),}});$$_woRtxeT2.$$bindings = 'value';}
      } else if (method.country === 'DK'){
         { svelteHTML.createElement("p", { "class":`note`,});m.draft_assurance_dk(); }
      }
     }
  } else if (method.type === 'QES' || method.type === 'SMS_OTP'){
     { svelteHTML.createElement("div", { "class":`fields`,});
      if(method.type === 'QES'){
         { const $$_woRtxeT2C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT2 = new $$_woRtxeT2C({ target: __sveltets_2_any(), props: {      "label":m.draft_provider(),"path":`${path}.provider`,value:method.provider,}});/*Ωignore_startΩ*/() => method.provider = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT2.$$bindings = 'value';}
      }
       { const $$_woRtxeT2C = __sveltets_2_ensureComponent(TextRow); const $$_woRtxeT2 = new $$_woRtxeT2C({ target: __sveltets_2_any(), props: {             "label":m.draft_method_mobile(),"path":`${path}.identifier`,"type":`tel`,"hint":m.draft_mobile_hint_v1(),value:method.identifier,"onleave":() => {
          const whole = toE164(method.identifier ?? '', party.country);
          if (whole !== null && whole !== method.identifier)
            change({ ...method, identifier: whole });
        },}});/*Ωignore_startΩ*/() => method.identifier = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtxeT2.$$bindings = 'value';}
     }
  }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('method'), slots: {}, events: {} }}
const MethodV1__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type MethodV1__SvelteComponent_ = ReturnType<typeof MethodV1__SvelteComponent_>;
/*Ωignore_endΩ*/export default MethodV1__SvelteComponent_;