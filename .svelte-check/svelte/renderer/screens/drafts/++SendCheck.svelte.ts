///<reference types="svelte" />
;
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import { ConnectionId } from '../../../shared/contract/ids.ts';
import Confirm from '../../components/Confirm.svelte';
import Field from '../../components/Field.svelte';
import { apiName, environmentName } from '../../connection-text.ts';
import { m } from '../../language.svelte.ts';
import { problemText } from '../../problem-text.ts';
import { connections } from '../../state/connections.svelte.ts';
import SendRecipients from './SendRecipients.svelte';
import SendTimes from './SendTimes.svelte';
import { editing } from './editing.ts';

;type $$ComponentProps =  { content: DraftContent; onsent: (title: string) => void };function $$render() {

  
  
  
  
  
  
  
  
  
  
  

  const { content, onsent }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const { editor, sending } = editing();
  const title = $derived(content.api === 'v1' ? content.body.title : content.body.name);
  const warnings = $derived(
    editor.problems.all.filter(({ level }) => level === 'warning').map(problemText),
  );
  const possible = $derived(connections.all.filter(({ api }) => api === content.api));
  const through = $derived(possible.find(({ id }) => id === editor.connectionId) ?? null);
  const reason = $derived.by(() => {
    if (possible.length === 0) return m.draft_send_why_none();
    return through === null ? m.draft_send_why_choose() : null;
  });
  const verb = $derived(
    sending.holdSeconds === 0
      ? m.draft_send_now()
      : m.draft_send_held({ seconds: sending.holdSeconds }),
  );

  function choose(value: string): void {
    const id = ConnectionId.safeParse(value);
    editor.connectionId = id.success ? id.data : null;
    editor.touch();
  }

  async function send(): Promise<void> {
    if (through === null || !(await editor.save())) return;
    if (await sending.send(through.id)) onsent(title);
  }
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {           children:() => { return __sveltets_2_any(0); },open:sending.asking,"title":m.draft_send_title({ title }),"confirm":verb,"cancel":m.cancel(),reason,"onconfirm":() => void send(),}});/*Ωignore_startΩ*/() => sending.asking = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { const $$_stneipiceRdneS1C = __sveltets_2_ensureComponent(SendRecipients); new $$_stneipiceRdneS1C({ target: __sveltets_2_any(), props: {  "check":editor.problems.check,}});}
   { const $$_semiTdneS1C = __sveltets_2_ensureComponent(SendTimes); new $$_semiTdneS1C({ target: __sveltets_2_any(), props: { content,}});}
  if(through){
     { svelteHTML.createElement("p", { ...__sveltets_2_empty({"data-testid":`draft.send.through`}),});
      m.draft_send_through({
        name: through.name,
        environment: environmentName(through.environment),
        api: apiName(through.api),
      });
      if(through.environment === 'demo'){m.draft_send_demo();}
     }
  }else{
     { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: { "label":m.draft_send_choose(),children:({ id, describedBy }) => { async ()/*Ωignore_positionΩ*/ => {
         { svelteHTML.createElement("select", {      id,"aria-describedby":describedBy,"onchange":(event) => choose(event.currentTarget.value),});
           { svelteHTML.createElement("option", {"value":"",});m.draft_for_none(); }
             for(let connection of __sveltets_2_ensureArray(possible)){connection.id;
             { svelteHTML.createElement("option", { "value":connection.id,});connection.name; }
          }
         }
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
      
     Field}
  }
  if(warnings.length > 0){
     { svelteHTML.createElement("div", { "class":`warnings`,});
       { svelteHTML.createElement("h3", {});m.draft_send_warnings(); }
       { svelteHTML.createElement("ul", {});
            for(let warning of __sveltets_2_ensureArray(warnings)){let index = 1;index; { svelteHTML.createElement("li", {});warning; }}
       }
     }
  }
  if(sending.holdSeconds > 0){ { svelteHTML.createElement("p", { "class":`hint`,});m.draft_send_hold_hint(); }}
 Confirm}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SendCheck__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SendCheck__SvelteComponent_ = ReturnType<typeof SendCheck__SvelteComponent_>;
/*Ωignore_endΩ*/export default SendCheck__SvelteComponent_;