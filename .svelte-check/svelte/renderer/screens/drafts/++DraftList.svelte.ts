///<reference types="svelte" />
;
import { onMount } from 'svelte';
import { DraftId } from '../../../shared/contract/ids.ts';
import Button from '../../components/Button.svelte';
import EmptyState from '../../components/EmptyState.svelte';
import FailureBar from '../../components/FailureBar.svelte';
import FileDrop from '../../components/FileDrop.svelte';
import FilePicker from '../../components/FilePicker.svelte';
import Grid from '../../components/Grid.svelte';
import ScreenHeader from '../../components/ScreenHeader.svelte';
import SplitView from '../../components/SplitView.svelte';
import StateBadge from '../../components/StateBadge.svelte';
import { formatDay, formatNames } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { clock } from '../../state/clock.svelte.ts';
import { connections } from '../../state/connections.svelte.ts';
import { drafts } from '../../state/drafts.svelte.ts';
import { go } from '../../state/router.svelte.ts';
import { shortcuts } from '../../state/shortcuts.svelte.ts';
import DraftSide from './DraftSide.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  

  let picker = $state<FilePicker>();
  let screen = $state<HTMLElement>();
  let covers = $state(false);
  let asking = $state(false);

  const columns = $derived([
    { title: m.column_title(), width: 'minmax(0, 1.6fr)' },
    { title: m.column_parties(), width: 'minmax(0, 1.2fr)' },
    { title: m.drafts_column_files(), width: '3.5rem' },
    { title: m.drafts_column_problems(), width: '8rem' },
    { title: m.drafts_column_for(), width: 'minmax(0, 1fr)' },
    { title: m.drafts_column_changed(), width: '5.5rem' },
  ]);

  function start(files: readonly File[]): void {
    if (files.length === 0) return;
    drafts.keepForNew(files);
    go('drafts', 'new');
  }

  function close(): void {
    covers = false;
    screen?.querySelector<HTMLElement>('[role=grid]')?.focus();
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== 'Delete' || drafts.current === null || drafts.current.sending !== null)
      return;
    event.preventDefault();
    asking = true;
  }

  onMount(() => {
    void drafts.list.refresh();
    return shortcuts.offer([
      {
        id: 'drafts.choose',
        group: 'do',
        title: m.drafts_choose_pdf,
        keys: ['$mod+o'],
        run: () => picker?.choose(),
      },
    ]);
  });
;
async () => {

 { const $$_porDeliF0C = __sveltets_2_ensureComponent(FileDrop); new $$_porDeliF0C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"words":m.drafts_drop(),"onfiles":start,}});
   { const $$_div1 = svelteHTML.createElement("div", {  "class":`screen`,});screen = $$_div1;
     { svelteHTML.createElement("div", {});
       { const $$_redaeHneercS3C = __sveltets_2_ensureComponent(ScreenHeader); const $$_redaeHneercS3 = new $$_redaeHneercS3C({ target: __sveltets_2_any(), props: { "title":m.screen_drafts(),actions:() => { async ()/*Ωignore_positionΩ*/ => {
           { const $$_rekciPeliF0C = __sveltets_2_ensureComponent(FilePicker); const $$_rekciPeliF0 = new $$_rekciPeliF0C({ target: __sveltets_2_any(), props: {            "label":m.drafts_choose_pdf(),"accept":`.pdf,application/pdf`,"keys":`Ctrl O`,"testid":`drafts.file`,"onfiles":start,}});picker = $$_rekciPeliF0;}
           { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {         children:() => { return __sveltets_2_any(0); },"kind":`primary`,"keys":`Ctrl N`,"data-testid":`drafts.new`,"onclick":() => go('drafts', 'new'),}});
            m.drafts_new();
           Button}
        };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {actions} = $$_redaeHneercS3.$$prop_def;/*Ωignore_endΩ*/
        
       ScreenHeader}
      if(drafts.list.failure){
         { const $$_raBeruliaF3C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF3C({ target: __sveltets_2_any(), props: {    "failure":drafts.list.failure,"onretry":() => void drafts.list.refresh(),}});}
      }
     }
    if(drafts.items.length > 0){
       { const $$_weiVtilpS2C = __sveltets_2_ensureComponent(SplitView); const $$_weiVtilpS2 = new $$_weiVtilpS2C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"label":m.drafts_details(),"open":covers,"onclose":close,side:() => { async ()/*Ωignore_positionΩ*/ => {
          if(drafts.current){
            drafts.current.id; {
               { const $$_ediStfarD0C = __sveltets_2_ensureComponent(DraftSide); const $$_ediStfarD0 = new $$_ediStfarD0C({ target: __sveltets_2_any(), props: {    "draft":drafts.current,asking,"ondeleted":close,}});/*Ωignore_startΩ*/() => asking = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_ediStfarD0.$$bindings = 'asking';}
            }
          }else{
             { const $$_etatSytpmE0C = __sveltets_2_ensureComponent(EmptyState); new $$_etatSytpmE0C({ target: __sveltets_2_any(), props: {    "title":m.drafts_pick_title(),"hint":m.drafts_pick_hint(),}});}
          }
        };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {side} = $$_weiVtilpS2.$$prop_def;/*Ωignore_endΩ*/
         { const $$_dirG3C = __sveltets_2_ensureComponent(Grid); const $$_dirG3 = new $$_dirG3C({ target: __sveltets_2_any(), props: {                  "label":m.screen_drafts(),"rows":drafts.items,"keyOf":({ id }) => id,columns,"active":drafts.active,"onactive":(key) => (drafts.active = DraftId.parse(key)),"onpick":() => (covers = true),"onopen":(key) => go('drafts', key),"onkey":press,cells:(draft) => { async ()/*Ωignore_positionΩ*/ => {
             { svelteHTML.createElement("div", { "role":`gridcell`,});draft.title || m.drafts_untitled(); }
             { svelteHTML.createElement("div", {   "role":`gridcell`,"class":`second`,});
              formatNames(draft.parties.filter((name) => name !== ''));
             }
             { svelteHTML.createElement("div", {   "role":`gridcell`,"class":`second`,});draft.files; }
             { svelteHTML.createElement("div", { "role":`gridcell`,});
              if(draft.sending !== null){
                 { const $$_egdaBetatS1C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS1C({ target: __sveltets_2_any(), props: {    "tone":`out`,"word":m.drafts_sending(),}});}
              } else if (draft.problems === 0){
                 { const $$_egdaBetatS1C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS1C({ target: __sveltets_2_any(), props: {    "tone":`signed`,"word":m.drafts_ready(),}});}
              }else{
                 { const $$_egdaBetatS1C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS1C({ target: __sveltets_2_any(), props: {    "tone":`draft`,"word":m.drafts_problems({ count: draft.problems }),}});}
              }
             }
             { svelteHTML.createElement("div", {   "role":`gridcell`,"class":`second`,});
              connections.find(draft.connectionId)?.name ?? m.drafts_no_connection();
             }
             { svelteHTML.createElement("div", {   "role":`gridcell`,"class":`second`,});formatDay(draft.updatedAt, clock.now); }
          };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {cells} = $$_dirG3.$$prop_def;/*Ωignore_endΩ*/
          
         Grid}
        
       SplitView}
    } else if (drafts.list.value !== null){
       { const $$_etatSytpmE2C = __sveltets_2_ensureComponent(EmptyState); new $$_etatSytpmE2C({ target: __sveltets_2_any(), props: {    "title":m.drafts_empty(),"hint":m.drafts_empty_hint(),}});}
    }
   }
 FileDrop}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const DraftList__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type DraftList__SvelteComponent_ = ReturnType<typeof DraftList__SvelteComponent_>;
/*Ωignore_endΩ*/export default DraftList__SvelteComponent_;