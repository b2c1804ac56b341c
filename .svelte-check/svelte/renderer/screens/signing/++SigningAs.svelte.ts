///<reference types="svelte" />
;
import { m } from '../../language.svelte.ts';
import { hrefOf } from '../../state/router.svelte.ts';
import { settings } from '../../state/settings.svelte.ts';
import { signing } from '../../state/signing.svelte.ts';
function $$render() {

  
  
  
  

  const id = $props.id();
  const identities = $derived(signing.identities.value ?? []);

  function choose(wanted: string): void {
    const identity = identities.find((candidate) => candidate.id === wanted);
    if (identity !== undefined) void settings.write({ signingIdentity: identity.id });
  }
;
async () => {

if(identities.length === 0 && signing.identities.value !== null){
   { svelteHTML.createElement("p", {});
    m.signing_nobody();  { svelteHTML.createElement("a", { "href":hrefOf('settings', 'identities'),});m.signing_add_person(); }
   }
}else{
   { svelteHTML.createElement("div", { "class":`who`,});
     { svelteHTML.createElement("label", { "for":id,});m.signing_as(); }
     { svelteHTML.createElement("select", {        id,...__sveltets_2_empty({"data-testid":`signing.as`}),"value":signing.signer?.id ?? '',"onchange":(event) => choose(event.currentTarget.value),});
      if(signing.signer === null){ { svelteHTML.createElement("option", {"value":"",});m.signing_choose_person(); }}
         for(let identity of __sveltets_2_ensureArray(identities)){identity.id;
         { svelteHTML.createElement("option", { "value":identity.id,});identity.name; }
      }
     }
   }
}


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SigningAs__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SigningAs__SvelteComponent_ = ReturnType<typeof SigningAs__SvelteComponent_>;
/*Ωignore_endΩ*/export default SigningAs__SvelteComponent_;