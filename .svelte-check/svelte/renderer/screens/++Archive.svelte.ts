///<reference types="svelte" />
;
import { onMount } from 'svelte';
import Button from '../components/Button.svelte';
import Chips from '../components/Chips.svelte';
import EmptyState from '../components/EmptyState.svelte';
import FailureBar from '../components/FailureBar.svelte';
import Grid from '../components/Grid.svelte';
import ScreenHeader from '../components/ScreenHeader.svelte';
import SplitView from '../components/SplitView.svelte';
import { formatDay, formatNames } from '../format.ts';
import { m } from '../language.svelte.ts';
import { archive, keyOf } from '../state/archive.svelte.ts';
import { clock } from '../state/clock.svelte.ts';
import { connections } from '../state/connections.svelte.ts';
import { shortcuts } from '../state/shortcuts.svelte.ts';
import ArchiveFolder from './archive/ArchiveFolder.svelte';
import ArchiveOutcome from './archive/ArchiveOutcome.svelte';
import ArchiveSide from './archive/ArchiveSide.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  

  const waiting = $derived(archive.counts?.notArchived ?? 0);
  const reason = $derived.by(() => {
    if (archive.running) return m.archive_why_running();
    if (archive.folder === null) return m.archive_why_no_folder();
    return waiting === 0 ? m.archive_why_nothing() : null;
  });
  const chips = $derived([
    { value: 'not-archived', label: m.archive_not_archived(), count: waiting },
    { value: 'archived', label: m.archive_archived(), count: archive.counts?.archived ?? 0 },
    {
      value: 'deleted-on-service',
      label: m.archive_deleted(),
      count: archive.counts?.deleted ?? 0,
    },
  ] as const);
  const empty = $derived(
    {
      'not-archived': m.archive_empty_waiting({ count: archive.counts?.archived ?? 0 }),
      archived: m.archive_empty_archived(),
      'deleted-on-service': m.archive_empty_deleted(),
    }[archive.show],
  );

  const run = (): void => {
    if (archive.folder !== null) void archive.run(archive.folder);
  };

  $effect(() => {
    void connections.scope;
    void archive.list.refresh();
  });

  onMount(() => {
    void archive.names.refresh();
    return shortcuts.offer([
      {
        id: 'archive.run',
        group: 'do',
        title: m.archive_run_all,
        keys: ['$mod+Shift+S'],
        reason: () => reason,
        run,
      },
    ]);
  });
;
async () => {

 { svelteHTML.createElement("div", { "class":`screen`,});
   { svelteHTML.createElement("div", {});
     { const $$_redaeHneercS2C = __sveltets_2_ensureComponent(ScreenHeader); const $$_redaeHneercS2 = new $$_redaeHneercS2C({ target: __sveltets_2_any(), props: { "title":m.screen_archive(),actions:() => { async ()/*Ωignore_positionΩ*/ => {
         { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },"kind":`primary`,reason,"onclick":run,}});m.archive_run({ count: waiting }); Button}
      };return __sveltets_2_any(0)},below:() => { async ()/*Ωignore_positionΩ*/ => {
         { const $$_redloFevihcrA0C = __sveltets_2_ensureComponent(ArchiveFolder); new $$_redloFevihcrA0C({ target: __sveltets_2_any(), props: {}});}
         { const $$_spihC0C = __sveltets_2_ensureComponent(Chips); new $$_spihC0C({ target: __sveltets_2_any(), props: {         "label":m.archive_show(),"items":chips,"value":archive.show,"onchoose":(value) => (archive.show = value),}});}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {actions, below} = $$_redaeHneercS2.$$prop_def;/*Ωignore_endΩ*/
      
      
     ScreenHeader}
    if(archive.list.failure){
       { const $$_raBeruliaF2C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF2C({ target: __sveltets_2_any(), props: {    "failure":archive.list.failure,"onretry":() => void archive.list.refresh(),}});}
    }
    if(archive.counts !== null && archive.counts.endangered > 0){
       { svelteHTML.createElement("p", {   "class":`danger`,"role":`note`,});
        m.archive_endangered({ count: archive.counts.endangered });
       }
    }
    if(archive.result){ { const $$_emoctuOevihcrA2C = __sveltets_2_ensureComponent(ArchiveOutcome); new $$_emoctuOevihcrA2C({ target: __sveltets_2_any(), props: {  "result":archive.result,}});}}
   }
  if(archive.list.value !== null && archive.items.length === 0){
     { const $$_etatSytpmE1C = __sveltets_2_ensureComponent(EmptyState); new $$_etatSytpmE1C({ target: __sveltets_2_any(), props: {  "title":empty,}});}
  }else{
     { const $$_weiVtilpS1C = __sveltets_2_ensureComponent(SplitView); const $$_weiVtilpS1 = new $$_weiVtilpS1C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"label":m.archive_details(),"open":archive.current !== null,"onclose":() => (archive.active = null),side:() => { async ()/*Ωignore_positionΩ*/ => {
        if(archive.current){
           { const $$_ediSevihcrA0C = __sveltets_2_ensureComponent(ArchiveSide); new $$_ediSevihcrA0C({ target: __sveltets_2_any(), props: {  "item":archive.current,}});}
        }else{
           { svelteHTML.createElement("p", {});m.archive_choose_item(); }
        }
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {side} = $$_weiVtilpS1.$$prop_def;/*Ωignore_endΩ*/
       { const $$_dirG2C = __sveltets_2_ensureComponent(Grid); const $$_dirG2 = new $$_dirG2C({ target: __sveltets_2_any(), props: {            "label":m.screen_archive(),"rows":archive.items,keyOf,"columns":[
          { title: m.column_title(), width: 'minmax(0, 2fr)' },
          { title: m.column_parties(), width: 'minmax(0, 1.5fr)' },
          { title: m.archive_closed(), width: '6.5rem' },
          { title: m.archive_deletes(), width: '6.5rem' },
        ],"active":archive.active,"onactive":(key) => (archive.active = key),cells:(item) => { async ()/*Ωignore_positionΩ*/ => {
           { svelteHTML.createElement("div", { "role":`gridcell`,});item.title; }
           { svelteHTML.createElement("div", { "role":`gridcell`,});
            item.parties === null ? m.parties_not_read() : formatNames(item.parties);
           }
           { svelteHTML.createElement("div", { "role":`gridcell`,});
            item.closedAt === null ? '' : formatDay(item.closedAt, clock.now);
           }
           { svelteHTML.createElement("div", { "role":`gridcell`,});
            item.deletesAt === null ? m.never() : formatDay(item.deletesAt, clock.now);
           }
        };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {cells} = $$_dirG2.$$prop_def;/*Ωignore_endΩ*/
        
       Grid}
      
     SplitView}
  }
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Archive__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Archive__SvelteComponent_ = ReturnType<typeof Archive__SvelteComponent_>;
/*Ωignore_endΩ*/export default Archive__SvelteComponent_;