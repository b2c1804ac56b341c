///<reference types="svelte" />
;
import FlaskConical from '@lucide/svelte/icons/flask-conical';
import Inbox from '@lucide/svelte/icons/inbox';
import KeyRound from '@lucide/svelte/icons/key-round';
import Signature from '@lucide/svelte/icons/signature';
import SquarePen from '@lucide/svelte/icons/square-pen';
import type { Connection } from '../../shared/contract/connections.ts';
import type { ApiName } from '../../shared/contract/ids.ts';
import type { Failure } from '../../shared/errors.ts';
import ChoiceList from '../components/ChoiceList.svelte';
import DoorPage from '../components/DoorPage.svelte';
import FailureBar from '../components/FailureBar.svelte';
import { failureOf } from '../desk.ts';
import { m } from '../language.svelte.ts';
import { connections } from '../state/connections.svelte.ts';
import { onboarding } from '../state/onboarding.svelte.ts';
import { go } from '../state/router.svelte.ts';
import ConnectionFields from './onboarding/ConnectionFields.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  
  

  let entering = $state<ApiName | null>(null);
  let added = $state.raw<Connection | null>(null);
  let busy = $state(false);
  let failure = $state.raw<Failure | null>(null);

  const starts = $derived([
    {
      name: 'demo',
      title: m.onboarding_demo(),
      hint: m.onboarding_demo_hint(),
      icon: FlaskConical,
      choose: () => void tryDemo(),
    },
    {
      name: 'v1',
      title: m.onboarding_v1(),
      hint: m.onboarding_v1_hint(),
      icon: KeyRound,
      choose: () => enter('v1'),
    },
    {
      name: 'v2',
      title: m.onboarding_v2(),
      hint: m.onboarding_v2_hint(),
      icon: KeyRound,
      choose: () => enter('v2'),
    },
  ]);

  const ends = $derived([
    {
      name: 'look',
      title: m.onboarding_look(),
      hint: m.onboarding_look_hint(),
      icon: Inbox,
      choose: () => finish('agreements'),
    },
    {
      name: 'draft',
      title: m.onboarding_first_draft(),
      hint: m.onboarding_first_draft_hint(),
      icon: SquarePen,
      choose: () => finish('drafts', 'new'),
    },
    {
      name: 'identity',
      title: m.onboarding_identity(),
      hint: m.onboarding_identity_hint(),
      icon: Signature,
      choose: () => finish('settings', 'identities'),
    },
  ]);

  function enter(api: ApiName): void {
    // Saving makes the first connection appear, which would otherwise open the desk at once.
    onboarding.isUnfinished = true;
    entering = api;
  }

  function finish(...[screen, ...parts]: Parameters<typeof go>): void {
    go(screen, ...parts);
    onboarding.isUnfinished = false;
  }

  async function tryDemo(): Promise<void> {
    busy = true;
    failure = null;
    try {
      await connections.addDemo();
      onboarding.isUnfinished = false;
    } catch (error) {
      failure = failureOf(error);
    } finally {
      busy = false;
    }
  }
;
async () => {

if(added){
   { const $$_egaProoD0C = __sveltets_2_ensureComponent(DoorPage); new $$_egaProoD0C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"title":m.onboarding_done({ name: added.name }),"lead":m.onboarding_done_lead(),}});
     { const $$_tsiLeciohC1C = __sveltets_2_ensureComponent(ChoiceList); new $$_tsiLeciohC1C({ target: __sveltets_2_any(), props: {  "choices":ends,}});}
   DoorPage}
} else if (entering){
   { const $$_egaProoD0C = __sveltets_2_ensureComponent(DoorPage); new $$_egaProoD0C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"title":entering === 'v1' ? m.onboarding_v1() : m.onboarding_v2(),"lead":entering === 'v1' ? m.onboarding_v1_hint() : m.onboarding_v2_hint(),}});
     { const $$_sdleiFnoitcennoC1C = __sveltets_2_ensureComponent(ConnectionFields); new $$_sdleiFnoitcennoC1C({ target: __sveltets_2_any(), props: {       "api":entering,"onsaved":(connection) => (added = connection),"oncancel":() => (entering = null),}});}
   DoorPage}
}else{
   { const $$_egaProoD0C = __sveltets_2_ensureComponent(DoorPage); new $$_egaProoD0C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"title":m.onboarding_welcome(),"lead":m.onboarding_lead(),}});
    if(failure){ { const $$_raBeruliaF1C = __sveltets_2_ensureComponent(FailureBar); new $$_raBeruliaF1C({ target: __sveltets_2_any(), props: {   failure,"onretry":() => void tryDemo(),}});}}
     { const $$_tsiLeciohC1C = __sveltets_2_ensureComponent(ChoiceList); new $$_tsiLeciohC1C({ target: __sveltets_2_any(), props: {   "choices":starts,busy,}});}
   DoorPage}
}
};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Onboarding__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Onboarding__SvelteComponent_ = ReturnType<typeof Onboarding__SvelteComponent_>;
/*Ωignore_endΩ*/export default Onboarding__SvelteComponent_;