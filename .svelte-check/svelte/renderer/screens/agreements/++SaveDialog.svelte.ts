///<reference types="svelte" />
;
import Button from '../../components/Button.svelte';
import Confirm from '../../components/Confirm.svelte';
import Field from '../../components/Field.svelte';
import type { AgreementDetails } from '../../../shared/contract/agreements.ts';
import { DEFAULT_NAME_PATTERN, fileName } from '../../../shared/rules/file-name.ts';
import { api } from '../../desk.ts';
import { m } from '../../language.svelte.ts';
import { activity } from '../../state/activity.svelte.ts';
import { details } from '../../state/agreement-details.svelte.ts';
import { connections } from '../../state/connections.svelte.ts';
import { host } from '../../state/host.svelte.ts';
import { settings } from '../../state/settings.svelte.ts';

;type $$ComponentProps =  { agreement: AgreementDetails };function $$render() {

  
  
  
  
  
  
  
  
  
  
  
  

  const { agreement }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  let open = $state(true);
  const separator = $derived(host.value?.platform === 'windows' ? '\\' : '/');
  const name = $derived(
    fileName(
      settings.stored.value?.archivePattern ?? DEFAULT_NAME_PATTERN,
      {
        id: agreement.id,
        title: agreement.title,
        parties: (agreement.parties ?? []).map((party) => party.name),
        connection: connections.find(agreement.connectionId)?.name ?? '',
        closedAt: agreement.closedAt,
      },
      new Set(),
    ),
  );
  let folder = $derived(host.value?.documentsFolder ?? '');
  let file = $derived(`${folder}${separator}${name}`);

  async function chooseFolder(): Promise<void> {
    await activity.attempt(async () => {
      const { path } = await api['host.chooseFolder']({});
      if (path !== null) folder = path;
    });
  }

  async function save(): Promise<void> {
    const wanted = file.trim();
    if (await details.save(wanted)) activity.say(m.save_done({ file: wanted }));
  }
;
async () => {

  { const $$_mrifnoC0C = __sveltets_2_ensureComponent(Confirm); const $$_mrifnoC0 = new $$_mrifnoC0C({ target: __sveltets_2_any(), props: {           children:() => { return __sveltets_2_any(0); },open,"title":m.save_title(),"confirm":m.save_confirm(),"cancel":m.common_cancel(),"reason":file.trim() === '' ? m.save_missing() : null,"onconfirm":() => void save(),}});/*Ωignore_startΩ*/() => open = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_mrifnoC0.$$bindings = 'open';
   { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {   "label":m.save_file(),"hint":m.save_hint(),children:({ id, describedBy }) => { async ()/*Ωignore_positionΩ*/ => {
       { svelteHTML.createElement("input", {        id,"aria-describedby":describedBy,"bind:value":file,...__sveltets_2_empty({"data-testid":`agreements.save.file`}),});/*Ωignore_startΩ*/() => file = __sveltets_2_any(null);/*Ωignore_endΩ*/}
    };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
    
   Field}
  if(host.value?.favours.chooseFolder){
     { svelteHTML.createElement("div", {}); { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"onclick":() => void chooseFolder(),}});m.save_choose_folder(); Button} }
  }
 Confirm}
};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const SaveDialog__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type SaveDialog__SvelteComponent_ = ReturnType<typeof SaveDialog__SvelteComponent_>;
/*Ωignore_endΩ*/export default SaveDialog__SvelteComponent_;