///<reference types="svelte" />
;
import type { OutboxItem } from '../../shared/contract/outbox.ts';
import Button from '../components/Button.svelte';
import { m } from '../language.svelte.ts';
import { clock } from '../state/clock.svelte.ts';
import { outbox } from '../state/outbox.svelte.ts';
import { undoHeld } from './commands.ts';

;type $$ComponentProps =  { item: OutboxItem; keys: string };function $$render() {

  
  
  
  
  
  

  const { item, keys }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const seconds = $derived(Math.max(0, Math.ceil(((item.nextAt ?? 0) - clock.now) / 1000)));
  const words = $derived(
    item.kind === 'sign'
      ? m.activity_held_sign({ title: item.title, seconds })
      : m.activity_held({ title: item.title, seconds }),
  );
;
async () => {

 { svelteHTML.createElement("span", { "class":`words`,});words; }
 { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },keys,"onclick":() => void undoHeld(),"data-testid":`activity.undo`,}});
  m.activity_undo();
 Button}
 { const $$_nottuB0C = __sveltets_2_ensureComponent(Button); new $$_nottuB0C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"onclick":() => void outbox.sendNow(item.ref),"data-testid":`activity.send-now`,}});
  m.activity_send_now();
 Button}


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const HeldSend__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type HeldSend__SvelteComponent_ = ReturnType<typeof HeldSend__SvelteComponent_>;
/*Ωignore_endΩ*/export default HeldSend__SvelteComponent_;