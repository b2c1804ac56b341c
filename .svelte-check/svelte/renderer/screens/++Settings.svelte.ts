///<reference types="svelte" />
;
import ScreenHeader from '../components/ScreenHeader.svelte';
import { m } from '../language.svelte.ts';
import ShortcutTable from '../shell/ShortcutTable.svelte';
import { hrefOf, router } from '../state/router.svelte.ts';
import Appearance from './settings/Appearance.svelte';
import ArchivePlace from './settings/ArchivePlace.svelte';
import Connections from './settings/Connections.svelte';
import Diagnostics from './settings/Diagnostics.svelte';
import Identities from './settings/Identities.svelte';
import Sending from './settings/Sending.svelte';
import UploadsOverview from './settings/UploadsOverview.svelte';
function $$render() {

  
  
  
  
  
  
  
  
  
  
  

  const sections = [
    { name: 'connections', title: m.settings_connections, component: Connections },
    { name: 'identities', title: m.settings_identities, component: Identities },
    { name: 'appearance', title: m.settings_appearance, component: Appearance },
    { name: 'sending', title: m.settings_sending, component: Sending },
    { name: 'archive', title: m.settings_archive, component: ArchivePlace },
    { name: 'uploads', title: m.uploads_title, component: UploadsOverview },
    { name: 'data', title: m.settings_data, component: Diagnostics },
    { name: 'shortcuts', title: m.settings_shortcuts, component: ShortcutTable },
  ] as const;

  const section = $derived(sections.find(({ name }) => name === router.parts[0]) ?? sections[0]);
;
async () => {

 { svelteHTML.createElement("div", { "class":`screen`,});
   { const $$_redaeHneercS1C = __sveltets_2_ensureComponent(ScreenHeader); new $$_redaeHneercS1C({ target: __sveltets_2_any(), props: {  "title":m.screen_settings(),}});}
   { svelteHTML.createElement("div", { "class":`body`,});
     { svelteHTML.createElement("nav", {  "aria-label":m.settings_sections(),...__sveltets_2_empty({"data-pane":true}),});
       { svelteHTML.createElement("ul", {});
           for(let { name, title } of __sveltets_2_ensureArray(sections)){name;
           { svelteHTML.createElement("li", {});
             { svelteHTML.createElement("a", {     "href":hrefOf('settings', name),"aria-current":section.name === name ? 'page' : undefined,});
              title();
             }
           }
        }
       }
     }
    
    
     { svelteHTML.createElement("section", {   "aria-labelledby":`settings-section`,...__sveltets_2_empty({"data-pane":true}),"tabindex":0,});
       { svelteHTML.createElement("h2", { "id":`settings-section`,});section.title(); }
       { const $$_tnenopmoc_noitces3C = __sveltets_2_ensureComponent(section.component); new $$_tnenopmoc_noitces3C({ target: __sveltets_2_any(), props: {}});}
     }
   }
 }


};
return { props: {} as Record<string, never>, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const Settings__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type Settings__SvelteComponent_ = ReturnType<typeof Settings__SvelteComponent_>;
/*Ωignore_endΩ*/export default Settings__SvelteComponent_;