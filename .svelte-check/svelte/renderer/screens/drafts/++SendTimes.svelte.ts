///<reference types="svelte" />
;
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import { formatDate } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { clock } from '../../state/clock.svelte.ts';
import { wallOf } from '../../state/draft-time.ts';

;type $$ComponentProps =  { content: DraftContent };function $$render() {

  
  
  
  
  

  const { content }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const DAY = 86_400_000;
  /** API v2, "Agreement request (create)": what an absent `expireIn` means. */
  const DEFAULT_DAYS = 60;

  /** A day as it stands on the Swedish calendar, whatever zone this computer is in. */
  const dayOf = (date: string): string => formatDate(new Date(`${date}T12:00`).getTime());

  const lines = $derived.by(() => {
    if (content.api === 'v2') {
      const count = content.body.expireIn ?? DEFAULT_DAYS;
      return [m.draft_send_days({ count, date: formatDate(clock.now + count * DAY) })];
    }
    const closes = wallOf(content.body.expireOn);
    const deletes = wallOf(content.body.deleteOn);
    return [
      closes.date === ''
        ? m.draft_send_never_closes()
        : m.draft_send_closes({ date: dayOf(closes.date), time: closes.time }),
      deletes.date === ''
        ? m.draft_send_never_deletes()
        : m.draft_send_deletes({ date: dayOf(deletes.date) }),
    ];
  });
;
async () => {

 { svelteHTML.createElement("p", { ...__sveltets_2_empty({"data-testid":`draft.send.times`}),});lines.join(' '); }
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SendTimes__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SendTimes__SvelteComponent_ = ReturnType<typeof SendTimes__SvelteComponent_>;
/*Ωignore_endΩ*/export default SendTimes__SvelteComponent_;