///<reference types="svelte" />
;
import Button from '../../components/Button.svelte';
import Field from '../../components/Field.svelte';
import { m } from '../../language.svelte.ts';
import { signing } from '../../state/signing.svelte.ts';

;type $$ComponentProps =  { ondone: () => void };function $$render() {

  
  
  
  

  const { ondone }:/*Ωignore_startΩ*/$$ComponentProps/*Ωignore_endΩ*/ = $props();

  const fields = [
    { name: 'name', label: m.settings_identity_name, isNeeded: true },
    { name: 'firstName', label: m.settings_identity_first_name, isNeeded: true },
    { name: 'lastName', label: m.settings_identity_last_name, isNeeded: true },
    { name: 'personNumber', label: m.settings_identity_number, isNeeded: false },
    { name: 'country', label: m.settings_identity_country, isNeeded: false },
    { name: 'orgNo', label: m.settings_identity_org_no, isNeeded: false },
    { name: 'email', label: m.settings_identity_email, isNeeded: false },
    { name: 'mobile', label: m.settings_identity_mobile, isNeeded: false },
  ] as const;

  const values = $state({
    name: '',
    firstName: '',
    lastName: '',
    personNumber: '',
    country: '',
    orgNo: '',
    email: '',
    mobile: '',
  });
  const reason = $derived(
    fields.some(({ name, isNeeded }) => isNeeded && values[name].trim() === '')
      ? m.connection_missing()
      : null,
  );

  /** What was left empty is left out: it is not known, which is not the same as empty. */
  const known = (value: string): string | undefined =>
    value.trim() === '' ? undefined : value.trim();

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (reason !== null) return;
    const { name, firstName, lastName, ...optional } = values;
    const done = await signing.addIdentity({
      name,
      firstName,
      lastName,
      personNumber: known(optional.personNumber),
      country: known(optional.country)?.toUpperCase(),
      orgNo: known(optional.orgNo),
      email: known(optional.email),
      mobile: known(optional.mobile),
    });
    if (done) ondone();
  }
;
async () => {

 { svelteHTML.createElement("form", {   "onsubmit":save,...__sveltets_2_empty({"data-testid":`settings.identity.form`}),});
     for(let { name, label, isNeeded } of __sveltets_2_ensureArray(fields)){name;
     { const $$_dleiF1C = __sveltets_2_ensureComponent(Field); const $$_dleiF1 = new $$_dleiF1C({ target: __sveltets_2_any(), props: {  "label":label(),...isNeeded ? {} : { hint: m.settings_identity_optional() },children:({ id, describedBy }) => { async ()/*Ωignore_positionΩ*/ => {
         { svelteHTML.createElement("input", {           id,"aria-describedby":describedBy,"autocomplete":`off`,"maxlength":name === 'country' ? 2 : 80,"bind:value":values[name],[Symbol("@attach")]:(input) => {
            if (name === 'name') input.focus();
          },});/*Ωignore_startΩ*/() => values[name] = __sveltets_2_any(null);/*Ωignore_endΩ*/}
      };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {children} = $$_dleiF1.$$prop_def;/*Ωignore_endΩ*/
      
     Field}
  }
   { svelteHTML.createElement("div", { "class":`actions`,});
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },"type":`submit`,"kind":`primary`,reason,}});m.settings_save(); Button}
     { const $$_nottuB2C = __sveltets_2_ensureComponent(Button); new $$_nottuB2C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"kind":`quiet`,"onclick":ondone,}});m.common_cancel(); Button}
   }
 }


};
return { props: {} as any as $$ComponentProps, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const IdentityForm__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type IdentityForm__SvelteComponent_ = ReturnType<typeof IdentityForm__SvelteComponent_>;
/*Ωignore_endΩ*/export default IdentityForm__SvelteComponent_;