///<reference types="svelte" />
;
import { Command, Dialog } from 'bits-ui';
import { m } from '../language.svelte.ts';
import { keyOf } from '../state/agreements.svelte.ts';
import { host } from '../state/host.svelte.ts';
import { palette } from '../state/palette.svelte.ts';
import { go } from '../state/router.svelte.ts';
import { type CommandGroup, shortcuts } from '../state/shortcuts.svelte.ts';
import { keyNames } from './key-names.ts';
import './palette.css';
function $$render() {

  
  
  
  
  
  
  
  
  

  const listId = $props.id();
  const titles = [
    { name: 'list', title: m.palette_list },
    { name: 'go', title: m.palette_go },
    { name: 'do', title: m.palette_do },
  ] as const satisfies readonly { name: CommandGroup; title: () => string }[];

  const words = $derived(palette.text.toLocaleLowerCase().split(/\s+/));
  const matching = $derived(
    shortcuts.commands.filter((command) => {
      const title = command.title().toLocaleLowerCase();
      return words.every((word) => title.includes(word));
    }),
  );
  const groups = $derived(
    titles
      .map(({ name, title }) => ({
        name,
        title: title(),
        commands: matching.filter((command) => command.group === name),
      }))
      .filter(({ commands }) => commands.length > 0),
  );
  const choosable = $derived([
    ...groups
      .flatMap(({ commands }) => commands)
      .filter((command) => (command.reason?.() ?? null) === null)
      .map(({ id }) => id),
    ...palette.found.map(keyOf),
  ]);
  /** Starts at the first again whenever what can be chosen changes. */
  let chosen = $derived(choosable[0] ?? '');
  const platform = $derived(host.value?.platform ?? 'linux');

  function pick(run: () => void): void {
    shortcuts.paletteOpen = false;
    // What the command focuses must not be taken away by the palette giving focus back.
    setTimeout(run);
  }
;
async () => {

 { const $$_tooR_golaiD0C = __sveltets_2_ensureComponent(Dialog.Root); const $$_tooR_golaiD0 = new $$_tooR_golaiD0C({ target: __sveltets_2_any(), props: {    children:() => { return __sveltets_2_any(0); },open:shortcuts.paletteOpen,"onOpenChange":() => void palette.type(''),}});/*Ωignore_startΩ*/() => shortcuts.paletteOpen = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_tooR_golaiD0.$$bindings = 'open';
   { const $$_latroP_golaiD1C = __sveltets_2_ensureComponent(Dialog.Portal); new $$_latroP_golaiD1C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"to":`#overlays`,}});
     { const $$_yalrevO_golaiD2C = __sveltets_2_ensureComponent(Dialog.Overlay); new $$_yalrevO_golaiD2C({ target: __sveltets_2_any(), props: {  "class":`overlay`,}});}
     { const $$_tnetnoC_golaiD2C = __sveltets_2_ensureComponent(Dialog.Content); new $$_tnetnoC_golaiD2C({ target: __sveltets_2_any(), props: {   children:() => { return __sveltets_2_any(0); },"class":`palette`,"data-testid":`palette`,}});
       { const $$_eltiT_golaiD3C = __sveltets_2_ensureComponent(Dialog.Title); new $$_eltiT_golaiD3C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"class":`visually-hidden`,}});m.palette_title(); Dialog.Title}
       { const $$_tooR_dnammoC3C = __sveltets_2_ensureComponent(Command.Root); const $$_tooR_dnammoC3 = new $$_tooR_dnammoC3C({ target: __sveltets_2_any(), props: {      children:() => { return __sveltets_2_any(0); },"label":m.palette_title(),"shouldFilter":false,value:chosen,"loop":true,}});/*Ωignore_startΩ*/() => chosen = __sveltets_2_any(null);/*Ωignore_endΩ*/$$_tooR_dnammoC3.$$bindings = 'value';
         { const $$_tupnI_dnammoC4C = __sveltets_2_ensureComponent(Command.Input); const $$_tupnI_dnammoC4 = new $$_tupnI_dnammoC4C({ target: __sveltets_2_any(), props: {         "class":`palette-input`,"placeholder":m.palette_placeholder(),"aria-label":m.palette_placeholder(),"oninput":(event) => void palette.type(event.currentTarget.value),child:({ props }) => { async ()/*Ωignore_positionΩ*/ => {
            
             { svelteHTML.createElement("input", {   ...props,"aria-controls":listId,});}
          };return __sveltets_2_any(0)},}});/*Ωignore_startΩ*/const {child} = $$_tupnI_dnammoC4.$$prop_def;/*Ωignore_endΩ*/
          
         Command.Input}
         { const $$_tsiL_dnammoC4C = __sveltets_2_ensureComponent(Command.List); new $$_tsiL_dnammoC4C({ target: __sveltets_2_any(), props: {     children:() => { return __sveltets_2_any(0); },"class":`palette-list`,"id":listId,"aria-label":m.palette_title(),}});
           { const $$_tropweiV_dnammoC5C = __sveltets_2_ensureComponent(Command.Viewport); new $$_tropweiV_dnammoC5C({ target: __sveltets_2_any(), props: {children:() => { return __sveltets_2_any(0); },}});
            if(groups.length === 0 && palette.found.length === 0){
               { svelteHTML.createElement("p", { "class":`palette-empty`,});m.palette_empty(); }
            }
               for(let group of __sveltets_2_ensureArray(groups)){group.name;
               { const $$_puorG_dnammoC6C = __sveltets_2_ensureComponent(Command.Group); new $$_puorG_dnammoC6C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"value":group.name,}});
                 { const $$_gnidaeHpuorG_dnammoC7C = __sveltets_2_ensureComponent(Command.GroupHeading); new $$_gnidaeHpuorG_dnammoC7C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"class":`palette-heading`,}});group.title; Command.GroupHeading}
                 { const $$_smetIpuorG_dnammoC7C = __sveltets_2_ensureComponent(Command.GroupItems); new $$_smetIpuorG_dnammoC7C({ target: __sveltets_2_any(), props: {children:() => { return __sveltets_2_any(0); },}});
                     for(let command of __sveltets_2_ensureArray(group.commands)){command.id;
                    const reason = command.reason?.() ?? null;
                    const keys = command.keys[0];
                     { const $$_metI_dnammoC8C = __sveltets_2_ensureComponent(Command.Item); new $$_metI_dnammoC8C({ target: __sveltets_2_any(), props: {         children:() => { return __sveltets_2_any(0); },"class":`palette-item`,"value":command.id,"disabled":reason !== null,"onSelect":() => pick(command.run),}});
                       { svelteHTML.createElement("span", {});
                        command.title();
                        if(reason){ { svelteHTML.createElement("small", {});reason; }}
                       }
                      if(keys){ { svelteHTML.createElement("kbd", {});keyNames(keys, platform); }}
                     Command.Item}
                  }
                 Command.GroupItems}
               Command.Group}
            }
            if(palette.found.length > 0){
               { const $$_puorG_dnammoC6C = __sveltets_2_ensureComponent(Command.Group); new $$_puorG_dnammoC6C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"value":`agreements`,}});
                 { const $$_gnidaeHpuorG_dnammoC7C = __sveltets_2_ensureComponent(Command.GroupHeading); new $$_gnidaeHpuorG_dnammoC7C({ target: __sveltets_2_any(), props: { children:() => { return __sveltets_2_any(0); },"class":`palette-heading`,}});
                  m.palette_agreements();
                 Command.GroupHeading}
                 { const $$_smetIpuorG_dnammoC7C = __sveltets_2_ensureComponent(Command.GroupItems); new $$_smetIpuorG_dnammoC7C({ target: __sveltets_2_any(), props: {children:() => { return __sveltets_2_any(0); },}});
                     for(let agreement of __sveltets_2_ensureArray(palette.found)){keyOf(agreement);
                     { const $$_metI_dnammoC8C = __sveltets_2_ensureComponent(Command.Item); new $$_metI_dnammoC8C({ target: __sveltets_2_any(), props: {       children:() => { return __sveltets_2_any(0); },"class":`palette-item`,"value":keyOf(agreement),"onSelect":() =>
                        pick(() => go('agreements', agreement.connectionId, agreement.id)),}});
                      agreement.title;
                     Command.Item}
                  }
                 Command.GroupItems}
               Command.Group}
            }
           Command.Viewport}
         Command.List}
       Command.Root}
     Dialog.Content}
   Dialog.Portal}
 Dialog.Root}
};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Palette__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Palette__SvelteComponent_ = ReturnType<typeof Palette__SvelteComponent_>;
/*Ωignore_endΩ*/export default Palette__SvelteComponent_;