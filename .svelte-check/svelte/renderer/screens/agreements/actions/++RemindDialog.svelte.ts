///<reference types="svelte" />
;
import { onMount, untrack } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import Confirm from '../../../components/Confirm.svelte';
import type { AgreementDetails } from '../../../../shared/contract/agreements.ts';
import type { Party } from '../../../../shared/model/agreement.ts';
import { notificationName, recipientsText } from '../../../action-text.ts';
import { formatNames, formatRelative } from '../../../format.ts';
import { m } from '../../../language.svelte.ts';
import { actions } from '../../../state/agreement-actions.svelte.ts';
import type { NamedNotification } from '../../../state/agreement-asks.svelte.ts';
import { book } from '../../../state/agreement-book.svelte.ts';
import { extras } from '../../../state/agreement-extras.svelte.ts';
;

  interface Props {
    agreement: AgreementDetails;
    /** Without one, everybody whose turn it is. */
    party?: Party | undefined;
    notification?: NamedNotification | undefined;
  };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  


  const { agreement, party, notification }: Props = $props();

  let open = $state(true);
  const now = Date.now();
  const people = $derived(
    party === undefined
      ? (agreement.parties ?? []).filter(
          ({ kind, state }) => state === 'turn' && kind !== 'my-company',
        )
      : [party],
  );
  const chosen = new SvelteSet<string>(untrack(() => people.map(({ id }) => id)));
  const targets = $derived(people.filter(({ id }) => chosen.has(id)));
  const reason = $derived.by(() => {
    if (people.length === 0) return m.remind_nobody();
    return targets.length === 0 ? m.remind_choose() : null;
  });

  onMount(() => void extras.read());

  /** To whom the invitation, or the one notification asked for, goes. */
  function wayTo({ id, email }: Party): string {
    const told = extras.partyOf(id)?.notifications ?? [];
    const rows = notification
      ? [notification]
      : told.filter(({ type }) => type === 'READY_TO_SIGN');
    const known = rows.map(({ recipients }) => recipientsText(recipients));
    return known.length > 0 ? formatNames(known) : (email ?? '');
  }

  /** When it went out last, and that it is not the party's turn. */
  function careOf({ id, state, name }: Party): readonly string[] {
    const last = book.remindedAt(id);
    return [
      ...(last === null ? [] : [m.remind_last({ when: formatRelative(last, now) })]),
      ...(state === 'turn' ? [] : [m.remind_not_turn({ name })]),
    ];
  }

  function send(): void {
    const { connectionId, id } = agreement;
    const which = notification === undefined ? {} : { notificationId: notification.id };
    const rows = targets.map((one) => ({ connectionId, id, partyId: one.id, ...which }));
    void actions.remind(rows, 1);
  }
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {          children:() => { return __sveltets_2_any(0); },open,"title":notification === undefined
    ? m.remind_title()
    : m.remind_title_of({ type: notificationName(notification.type) }),"confirm":m.remind_confirm({ count: targets.length }),"cancel":m.common_cancel(),reason,"onconfirm":send,}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
  if(people.length === 0){
     { svelteHTML.createElement("p", {});m.remind_nobody(); }
  }else{
     { svelteHTML.createElement("p", {});m.remind_lead({ title: agreement.title || m.agreements_untitled() }); }
     { svelteHTML.createElement("ul", {});
         for(let person of __sveltets_2_ensureArray(people)){person.id;
         { svelteHTML.createElement("li", {});
           { svelteHTML.createElement("label", { "class":`check`,});
             { svelteHTML.createElement("input", {       "type":`checkbox`,"checked":chosen.has(person.id),"onchange":() => chosen.delete(person.id) || chosen.add(person.id),});}
             { svelteHTML.createElement("span", {});
               { svelteHTML.createElement("strong", {});person.name; }
               { svelteHTML.createElement("span", { "class":`quiet-text`,});wayTo(person); }
                 for(let care of __sveltets_2_ensureArray(careOf(person))){care; { svelteHTML.createElement("span", { "class":`quiet-text`,});care; }}
             }
           }
         }
      }
     }
     { svelteHTML.createElement("p", { "class":`quiet-text`,});m.remind_scheduled_only(); }
  }
 Confirm}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const RemindDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type RemindDialog__SvelteComponent_ = ReturnType<typeof RemindDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default RemindDialog__SvelteComponent_;