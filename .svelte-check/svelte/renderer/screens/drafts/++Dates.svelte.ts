///<reference types="svelte" />
;
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import Button from '../../components/Button.svelte';
import Field from '../../components/Field.svelte';
import { formatDate } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { notesOf } from '../../problem-text.ts';
import { clock } from '../../state/clock.svelte.ts';
import { stampAfter } from '../../state/draft-time.ts';
import { editing } from './editing.ts';
import MomentRow from './MomentRow.svelte';

;type $$ComponentProps =  { content: DraftContent };function $$render() {

  
  
  
  
  
  
  
  
  
  

  let { content = $bindable() }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props()/*Ωignore_startΩ*/;content;/*Ωignore_endΩ*/;

  const DAY = 86_400_000;
  /** API v2, "Agreement request (create)": what an absent `expireIn` means. */
  const DEFAULT_DAYS = 60;
  const QUICK = [14, 30, 90];

  const { editor } = editing();
  const daysProblem = $derived(editor.problems.at('expireIn'));

  function setExpiry(stamp: string | undefined): void {
    if (content.api === 'v1') content.body.expireOn = stamp;
    editor.touch();
  }
;
async () => {

if(content.api === 'v1'){
  const body = content.body;
   { svelteHTML.createElement("div", { "class":`dates`,});
     { svelteHTML.createElement("div", { "class":`expiry`,});
       { const $$_woRtnemoM2C = __sveltets_2_ensureComponent(MomentRow); const $$_woRtnemoM2 = new $$_woRtnemoM2C({ target: __sveltets_2_any(), props: {         "label":m.draft_expires(),"hint":m.draft_expires_hint(),"path":`expireOn`,value:body.expireOn,}});/*Ωignore_startΩ*/() => body.expireOn = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtnemoM2.$$bindings = 'value';}
       { svelteHTML.createElement("div", { "class":`quick`,});
           for(let days of __sveltets_2_ensureArray(QUICK)){days;
           { const $$_nottuB3C = __sveltets_2_ensureComponent(Button); new $$_nottuB3C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"onclick":() => setExpiry(stampAfter(days, Date.now())),}});
            m.draft_in_days({ count: days });
           Button}
        }
         { const $$_nottuB3C = __sveltets_2_ensureComponent(Button); new $$_nottuB3C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"onclick":() => setExpiry(undefined),}});m.draft_no_date(); Button}
       }
     }
     { const $$_woRtnemoM1C = __sveltets_2_ensureComponent(MomentRow); const $$_woRtnemoM1 = new $$_woRtnemoM1C({ target: __sveltets_2_any(), props: {         "label":m.draft_deletes(),"hint":m.draft_deletes_hint(),"path":`deleteOn`,value:body.deleteOn,}});/*Ωignore_startΩ*/() => body.deleteOn = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_woRtnemoM1.$$bindings = 'value';}
   }
}else{
  const body = content.body;
  const days = body.expireIn ?? DEFAULT_DAYS;
   { svelteHTML.createElement("div", { "class":`dates`,});
     { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {      "label":m.draft_days(),"hint":body.expireIn === undefined
        ? m.draft_days_default()
        : m.draft_days_date({ date: formatDate(clock.now + days * DAY) }),...notesOf(daysProblem),children:({ id, describedBy, invalid }) => { async ()/*Ωignore_positionΩ*/ => {
         { svelteHTML.createElement("input", {                    id,"type":`number`,"min":`0`,"max":`99`,"step":`1`,...__sveltets_2_empty({"data-field":`expireIn`}),"aria-describedby":describedBy,"aria-invalid":invalid,"value":body.expireIn ?? '',"oninput":(event) => {
            const typed = event.currentTarget.valueAsNumber;
            body.expireIn = Number.isNaN(typed) ? undefined : typed;
          },});}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
      
     Field}
   }
}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings('content'), slots: {}, events: {} }}
const Dates__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Dates__SvelteComponent_ = ReturnType<typeof Dates__SvelteComponent_>;
/*Ωignore_endΩ*/export default Dates__SvelteComponent_;