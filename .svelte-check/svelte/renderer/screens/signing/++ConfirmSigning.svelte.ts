///<reference types="svelte" />
;
import type { Identity, SigningItem } from '../../../shared/contract/signing.ts';
import Confirm from '../../components/Confirm.svelte';
import { formatDateTime } from '../../format.ts';
import { m } from '../../language.svelte.ts';
import { clock } from '../../state/clock.svelte.ts';
import { connections } from '../../state/connections.svelte.ts';
import { keyOf, signing } from '../../state/signing.svelte.ts';
;

  interface Props {
    open: boolean;
    items: readonly SigningItem[];
    signer: Identity;
  };function $$render() {

  
  
  
  
  
  
  


  let { open = $bindable(), items, signer }: Props = $props()/*Ωignore_startΩ*/;open;/*Ωignore_endΩ*/;
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {         children:() => { return __sveltets_2_any(0); },open,"title":m.signing_confirm_title({ count: items.length, name: signer.name }),"confirm":m.signing_sign({ count: items.length }),"cancel":m.cancel(),"onconfirm":() => void signing.sign(items, signer),}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { svelteHTML.createElement("p", {});
    m.signing_confirm_who({
      name: `${signer.firstName} ${signer.lastName}`,
      number: signer.personNumberMasked ?? m.signing_no_number(),
      time: formatDateTime(clock.now),
    });
   }
   { svelteHTML.createElement("ul", {});
       for(let item of __sveltets_2_ensureArray(items)){keyOf(item);
       { svelteHTML.createElement("li", {});
         { svelteHTML.createElement("strong", {});item.title; }
         { svelteHTML.createElement("span", {});item.partyName;  connections.find(item.connectionId)?.name ?? ''; }
       }
    }
   }
   { svelteHTML.createElement("p", {});m.signing_confirm_final(); }
 Confirm}


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings('open'), slots: {}, events: {} }}
const ConfirmSigning__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ConfirmSigning__SvelteComponent_ = ReturnType<typeof ConfirmSigning__SvelteComponent_>;
/*Ωignore_endΩ*/export default ConfirmSigning__SvelteComponent_;