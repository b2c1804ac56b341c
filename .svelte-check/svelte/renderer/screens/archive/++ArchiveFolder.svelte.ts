///<reference types="svelte" />
;
import { api } from '../../desk.ts';
import Button from '../../components/Button.svelte';
import { m } from '../../language.svelte.ts';
import { activity } from '../../state/activity.svelte.ts';
import { archive } from '../../state/archive.svelte.ts';
import { host } from '../../state/host.svelte.ts';
import { settings } from '../../state/settings.svelte.ts';
function $$render() {

  
  
  
  
  
  
  

  const id = $props.id();
  const example = $derived(archive.names.value?.names[0] ?? null);

  async function choose(): Promise<void> {
    await activity.attempt(async () => {
      const { path } = await api['host.chooseFolder']({});
      if (path !== null) await settings.write({ archiveFolder: path });
    });
  }
;
async () => {

 { svelteHTML.createElement("div", { "class":`folder`,});
   { svelteHTML.createElement("label", { "for":id,});m.archive_folder(); }
   { svelteHTML.createElement("input", {        id,...__sveltets_2_empty({"data-testid":`archive.folder`}),"value":archive.folder ?? '',"onchange":(event) =>
      void settings.write({ archiveFolder: event.currentTarget.value.trim() || null }),});}
  if(host.value?.favours.chooseFolder){
     { const $$_nottuB1C = __sveltets_2_ensureComponent(Button); new $$_nottuB1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":choose,}});m.archive_choose_folder(); Button}
  }
  if(example !== null){ { svelteHTML.createElement("p", {});m.archive_example({ name: example }); }}
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ArchiveFolder__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ArchiveFolder__SvelteComponent_ = ReturnType<typeof ArchiveFolder__SvelteComponent_>;
/*Ωignore_endΩ*/export default ArchiveFolder__SvelteComponent_;