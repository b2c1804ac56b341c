///<reference types="svelte" />
;
import Ban from '@lucide/svelte/icons/ban';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import CircleDot from '@lucide/svelte/icons/circle-dot';
import CircleX from '@lucide/svelte/icons/circle-x';
import Clock from '@lucide/svelte/icons/clock';
import FilePen from '@lucide/svelte/icons/file-pen';
import Hourglass from '@lucide/svelte/icons/hourglass';
import Send from '@lucide/svelte/icons/send';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
;

  /** The look of a state; the word comes from the caller, so that colour never stands alone. */
  type Tone =
    | 'draft'
    | 'out'
    | 'waiting'
    | 'part'
    | 'signed'
    | 'rejected'
    | 'revoked'
    | 'expired'
    | 'attention';;
;type $$ComponentProps =  { tone: Tone; word: string };function $$render() {

  
  
  
  
  
  
  
  
  


  const { tone, word }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const looks = {
    draft: { icon: FilePen, colours: 'draft' },
    out: { icon: Send, colours: 'out' },
    waiting: { icon: Clock, colours: 'wait' },
    part: { icon: CircleDot, colours: 'part' },
    signed: { icon: CircleCheck, colours: 'done' },
    rejected: { icon: CircleX, colours: 'rej' },
    revoked: { icon: Ban, colours: 'exp' },
    expired: { icon: Hourglass, colours: 'exp' },
    attention: { icon: TriangleAlert, colours: 'att' },
  } as const satisfies Record<Tone, unknown>;

  const look = $derived(looks[tone]);
;
async () => {

 { svelteHTML.createElement("span", { "class":['badge', look.colours],});
   { const $$_noci_kool1C = __sveltets_2_ensureComponent(look.icon); new $$_noci_kool1C({ target: __sveltets_2_any(), props: {    "size":14,"aria-hidden":`true`,}});}
  word;
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const StateBadge__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type StateBadge__SvelteComponent_ = ReturnType<typeof StateBadge__SvelteComponent_>;
/*Ωignore_endΩ*/export default StateBadge__SvelteComponent_;