///<reference types="svelte" />
;
import Button from '../../components/Button.svelte';
import FailureBar from '../../components/FailureBar.svelte';
import Field from '../../components/Field.svelte';
import RadioRow from '../../components/RadioRow.svelte';
import TestSteps from '../../components/TestSteps.svelte';
import type { Connection } from '../../../shared/contract/connections.ts';
import type { ApiName } from '../../../shared/contract/ids.ts';
import { environmentName } from '../../connection-text.ts';
import { m } from '../../language.svelte.ts';
import { ConnectionForm } from '../../state/connection-form.svelte.ts';
;

  interface Props {
    api: ApiName;
    onsaved: (connection: Connection) => void;
    oncancel: () => void;
  };function $$render() {

  
  
  
  
  
  
  
  
  
  


  const { api, onsaved, oncancel }: Props = $props();

  const form = $derived(new ConnectionForm(api));
  const reason = $derived.by(() => {
    if (form.busy !== null) return m.connection_busy();
    return form.missing === null ? null : m.connection_missing();
  });
  const environments = $derived(
    (['production', 'test'] as const).map((value) => ({ value, label: environmentName(value) })),
  );
  const problemOf = (field: string): string | null => form.failure?.fields?.[field] ?? null;

  async function save(): Promise<void> {
    const saved = await form.save();
    if (saved !== null) onsaved(saved);
  }
;
async () => {


  { svelteHTML.createElement("form", {     "novalidate":true,"onsubmit":(event) => {
    event.preventDefault();
    if (reason === null) void form.test();
  },...__sveltets_2_empty({"data-testid":`connection.form`}),});
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {     "label":m.connection_name(),"hint":m.connection_name_hint(),"problem":problemOf('name'),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {           id,"aria-describedby":describedBy,"aria-invalid":invalid,"maxlength":80,"bind:value":form.name,[Symbol("@attach")]:(input) => input.focus(),});/*Ωignore_startΩ*/() => form.name = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {       "label":m.connection_address(),"hint":api === 'v1' ? m.connection_address_hint_v1() : m.connection_address_hint_v2(),"problem":problemOf('url'),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {            id,"type":`url`,"spellcheck":`false`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":form.url,});/*Ωignore_startΩ*/() => form.url = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {       "label":api === 'v1' ? m.connection_secret_v1() : m.connection_secret_v2(),"hint":m.connection_secret_hint(),"problem":problemOf('secret'),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {            id,"type":`password`,"autocomplete":`off`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":form.secret,});/*Ωignore_startΩ*/() => form.secret = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
  if(api === 'v2'){
     { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {       "label":m.connection_user(),"hint":m.connection_user_hint(),"problem":problemOf('accountId'),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
         { svelteHTML.createElement("input", {          id,"spellcheck":`false`,"aria-describedby":describedBy,"aria-invalid":invalid,"bind:value":form.accountId,});/*Ωignore_startΩ*/() => form.accountId = __sveltets_2_any(null);/*Ωignore_endΩ*/}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
      
     Field}
     { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {   "label":m.connection_org_no(),"hint":m.connection_org_no_hint(),children:({ id, describedBy }) => { async ()/*Ωignore_positionΩ*/ => {
         { svelteHTML.createElement("input", {       id,"spellcheck":`false`,"aria-describedby":describedBy,"bind:value":form.orgNo,});/*Ωignore_startΩ*/() => form.orgNo = __sveltets_2_any(null);/*Ωignore_endΩ*/}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
      
     Field}
  }
   { const $$_woRoidaR1C = __sveltets_2_ensureComponent(RadioRow); new $$_woRoidaR1C({ target: __sveltets_2_any(), props: {         "label":m.connection_environment(),"items":environments,"value":form.environment,"onchoose":(environment) => (form.environment = environment),}});}

  if(form.busy === 'testing' || form.result){ { const $$_spetStseT1C = __sveltets_2_ensureComponent(TestSteps); new $$_spetStseT1C({ target: __sveltets_2_any(), props: {  "result":form.result,}});}}
  if(form.failure){ { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {  "failure":form.failure,}});}}

   { svelteHTML.createElement("div", { "class":`actions`,});
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {  children:() => { return __sveltets_2_any(0); },"type":`submit`,reason,}});
      form.busy === 'testing' ? m.connection_testing() : m.connection_test();
     Button}
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },"kind":`primary`,reason,"onclick":() => void save(),}});
      form.busy === 'saving' ? m.connection_saving() : m.connection_save();
     Button}
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"onclick":oncancel,}});m.connection_cancel(); Button}
   }
   { svelteHTML.createElement("p", {});m.connection_test_note(); }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ConnectionFields__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ConnectionFields__SvelteComponent_ = ReturnType<typeof ConnectionFields__SvelteComponent_>;
/*Ωignore_endΩ*/export default ConnectionFields__SvelteComponent_;