///<reference types="svelte" />
;
import type { DraftSummary } from '../../../shared/contract/drafts.ts';
import Button from '../../components/Button.svelte';
import Confirm from '../../components/Confirm.svelte';
import Facts from '../../components/Facts.svelte';
import { formatCount, formatDateTime, formatNames } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { activity } from '../../state/activity.svelte.ts';
import { connections } from '../../state/connections.svelte.ts';
import { drafts } from '../../state/drafts.svelte.ts';
import { go } from '../../state/router.svelte.ts';
;

  interface Props {
    draft: DraftSummary;
    /** Whether the question is open; Del in the list asks it too. */
    asking: boolean;
    ondeleted: () => void;
  };function $$render() {

  
  
  
  
  
  
  
  
  
  


  let { draft, asking = $bindable(), ondeleted }: Props = $props()/*Ωignore_startΩ*/;asking;/*Ωignore_endΩ*/;

  const title = $derived(draft.title || m.drafts_untitled());
  const names = $derived(draft.parties.filter((name) => name !== ''));
  const facts = $derived([
    {
      name: m.column_parties(),
      value: names.length === 0 ? m.drafts_no_parties() : formatNames(names),
    },
    { name: m.drafts_column_files(), value: formatCount(draft.files) },
    {
      name: m.drafts_column_for(),
      value: connections.find(draft.connectionId)?.name ?? m.drafts_no_connection(),
    },
    { name: m.drafts_column_changed(), value: formatDateTime(draft.updatedAt) },
  ]);

  async function remove(): Promise<void> {
    const words = m.drafts_deleted({ title });
    if (!(await drafts.remove(draft.id))) return;
    activity.say(words);
    ondeleted();
  }
;
async () => {

 { svelteHTML.createElement("article", {});
   { svelteHTML.createElement("h2", {});title; }
   { svelteHTML.createElement("div", { "class":`actions`,});
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"kind":`primary`,"keys":`Enter`,"onclick":() => go('drafts', draft.id),}});
      m.drafts_open();
     Button}
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"kind":`danger`,"reason":draft.sending === null ? null : m.drafts_delete_locked(),"onclick":() => (asking = true),}});
      m.drafts_delete();
     Button}
   }
   { const $$_stcaF1C = __sveltets_2_ensureComponent(Facts); new $$_stcaF1C({ target: __sveltets_2_any(), props: {  "rows":facts,}});}
 }
  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {           children:() => { return __sveltets_2_any(0); },open:asking,"title":m.drafts_delete_title({ title }),"confirm":m.drafts_delete_confirm(),"cancel":m.cancel(),"danger":true,"onconfirm":() => void remove(),}});/*Ωignore_startΩ*/() => asking = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});m.drafts_delete_lead(); }
 Confirm}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('asking'), slots: {}, events: {} }}
const DraftSide__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type DraftSide__SvelteComponent_ = ReturnType<typeof DraftSide__SvelteComponent_>;
/*Ωignore_endΩ*/export default DraftSide__SvelteComponent_;