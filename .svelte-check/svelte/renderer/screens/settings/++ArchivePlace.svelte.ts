///<reference types="svelte" />
;
import Button from '../../components/Button.svelte';
import Field from '../../components/Field.svelte';
import { api } from '../../desk.ts';
import { m } from '../../language.svelte.ts';
import { activity } from '../../state/activity.svelte.ts';
import { host } from '../../state/host.svelte.ts';
import { Loaded } from '../../state/loaded.svelte.ts';
import { settings } from '../../state/settings.svelte.ts';
function $$render() {

  
  
  
  
  
  
  
  

  const TOKENS = '{title} {id} {id8} {closed:yyyy-MM-dd} {parties} {connection}';

  let folder = $derived(settings.stored.value?.archiveFolder ?? '');
  let pattern = $derived(settings.stored.value?.archivePattern ?? '');
  const preview = new Loaded(() => api['archive.preview']({ pattern }));
  const example = $derived(preview.value?.names[0]);

  $effect(() => {
    if (pattern !== '') void preview.refresh();
  });

  async function chooseFolder(): Promise<void> {
    await activity.attempt(async () => {
      const { path } = await api['host.chooseFolder']({});
      if (path !== null) folder = path;
    });
  }

  async function save(): Promise<void> {
    const archiveFolder = folder.trim() === '' ? null : folder.trim();
    await settings.write({ archiveFolder, archivePattern: pattern });
    activity.say(m.settings_saved());
  }
;
async () => {

  { svelteHTML.createElement("form", {  "onsubmit":(event) => {
    event.preventDefault();
    if (pattern !== '') void save();
  },});
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {   "label":m.settings_archive_folder(),"hint":m.settings_archive_folder_hint(),children:({ id, describedBy }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {     id,"aria-describedby":describedBy,"bind:value":folder,});/*Ωignore_startΩ*/() => folder = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
  if(host.value?.favours.chooseFolder){
     { svelteHTML.createElement("div", {}); { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void chooseFolder(),}});m.settings_choose_folder(); Button} }
  }
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {     "label":m.settings_archive_pattern(),"hint":m.settings_archive_pattern_hint({ tokens: TOKENS }),children:({ id, describedBy }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {       id,"aria-describedby":describedBy,"maxlength":200,"bind:value":pattern,});/*Ωignore_startΩ*/() => pattern = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
  if(example){ { svelteHTML.createElement("p", {});m.settings_archive_preview({ name: example }); }}
   { svelteHTML.createElement("div", {});
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"type":`submit`,"kind":`primary`,"reason":pattern === '' ? m.settings_field_missing() : null,}});
      m.settings_save();
     Button}
   }
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const ArchivePlace__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type ArchivePlace__SvelteComponent_ = ReturnType<typeof ArchivePlace__SvelteComponent_>;
/*Ωignore_endΩ*/export default ArchivePlace__SvelteComponent_;