///<reference types="svelte" />
;
import type { Agreement } from '../../../shared/contract/agreements.ts';
import { badgeOf } from '../../agreement-text.ts';
import Button from '../../components/Button.svelte';
import EmptyState from '../../components/EmptyState.svelte';
import Grid from '../../components/Grid.svelte';
import StateBadge from '../../components/StateBadge.svelte';
import { formatCount, formatDay, formatNames } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { agreements, keyOf } from '../../state/agreements.svelte.ts';
import { go } from '../../state/router.svelte.ts';
import { sync } from '../../state/sync.svelte.ts';
;

  interface Props {
    active: string | null;
    onactive: (row: Agreement) => void;
    onopen: () => void;
  };function $$render() {

  
  
  
  
  
  
  
  
  
  
  


  const { active, onactive, onopen }: Props = $props();

  const columns = $derived([
    { title: m.agreements_column_title(), width: 'minmax(0, 1.4fr)' },
    { title: m.agreements_column_parties(), width: 'minmax(0, 1fr)' },
    { title: m.agreements_column_state(), width: '8.5rem' },
    { title: m.agreements_column_updated(), width: '5.5rem' },
  ]);
  const now = Date.now();
  /** The first check of a connection, whose list is still growing. */
  const firstRead = $derived(
    sync.inScope.find((status) => status.running && status.checkedAt === null),
  );
  const readingHint = $derived(
    firstRead === undefined || firstRead.total === null
      ? m.agreements_reading_start()
      : m.agreements_reading_hint({
          done: formatCount(firstRead.done),
          total: formatCount(firstRead.total),
        }),
  );

  function activate(key: string): void {
    const row = agreements.rows.find((candidate) => keyOf(candidate) === key);
    if (row !== undefined) onactive(row);
  }
;
async () => {

if(agreements.rows.length > 0){
   { svelteHTML.createElement("div", {   "class":`grid`,...__sveltets_2_empty({"data-testid":`agreements.grid`}),});
     { const $$_dirG1C = __sveltets_2_ensureComponent(Grid); const $$_dirG1 = new $$_dirG1C({ target: __sveltets_2_any(), props: {                 "label":m.agreements_list(),"rows":agreements.rows,"total":agreements.total,keyOf,columns,active,"onactive":activate,"onpick":onopen,onopen,"onend":() => void agreements.more(),cells:(row) => { async ()/*Ωignore_positionΩ*/ => {
        const badge = badgeOf(row);
         { svelteHTML.createElement("div", {   "role":`gridcell`,"title":row.title,});row.title || m.agreements_untitled(); }
         { svelteHTML.createElement("div", {   "role":`gridcell`,"class":`second`,});
          if(row.parties === null){
             { svelteHTML.createElement("em", {});m.agreements_parties_unread(); }
          }else{
            formatNames(row.parties);
          }
         }
         { svelteHTML.createElement("div", { "role":`gridcell`,}); { const $$_egdaBetatS1C = __sveltets_2_ensureComponent(StateBadge); new $$_egdaBetatS1C({ target: __sveltets_2_any(), props: {    "tone":badge.tone,"word":badge.word,}});} }
         { svelteHTML.createElement("div", {   "role":`gridcell`,"class":`second`,});
          row.updatedAt === null ? '' : formatDay(row.updatedAt, now);
         }
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {cells} = $$_dirG1.$$prop_def;/*Ωignore_endΩ*/
      
     Grid}
   }
} else if (agreements.page.value !== null){
  if(agreements.isNarrowed){
     { const $$_etatSytpmE0C = __sveltets_2_ensureComponent(EmptyState); const $$_etatSytpmE0 = new $$_etatSytpmE0C({ target: __sveltets_2_any(), props: {   "title":m.agreements_nothing_title(),"hint":m.agreements_nothing_hint(),actions:() => { async ()/*Ωignore_positionΩ*/ => {
         { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void agreements.clear(),}});m.agreements_clear(); Button}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {actions} = $$_etatSytpmE0.$$prop_def;/*Ωignore_endΩ*/
      
     EmptyState}
  } else if (firstRead){
     { const $$_etatSytpmE0C = __sveltets_2_ensureComponent(EmptyState); new $$_etatSytpmE0C({ target: __sveltets_2_any(), props: {    "title":m.agreements_reading_title(),"hint":readingHint,}});}
  }else{
     { const $$_etatSytpmE0C = __sveltets_2_ensureComponent(EmptyState); const $$_etatSytpmE0 = new $$_etatSytpmE0C({ target: __sveltets_2_any(), props: {   "title":m.agreements_none_title(),"hint":m.agreements_none_hint(),actions:() => { async ()/*Ωignore_positionΩ*/ => {
         { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`primary`,"onclick":() => go('drafts', 'new'),}});
          m.command_new_draft();
         Button}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {actions} = $$_etatSytpmE0.$$prop_def;/*Ωignore_endΩ*/
      
     EmptyState}
  }
}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const AgreementList__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type AgreementList__SvelteComponent_ = ReturnType<typeof AgreementList__SvelteComponent_>;
/*Ωignore_endΩ*/export default AgreementList__SvelteComponent_;