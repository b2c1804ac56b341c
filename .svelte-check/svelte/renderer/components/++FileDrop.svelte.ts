///<reference types="svelte" />
;
import type { Snippet } from 'svelte';
;

  interface Props {
    /** What dropping does, shown while files are held over it. */
    words: string;
    onfiles: (files: readonly File[]) => void;
    children: Snippet;
  };function $$render() {

  


  const { words, onfiles, children }: Props = $props();

  // Entering a child is told before leaving its parent, so the two are counted.
  let depth = $state(0);

  const hasFiles = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes('Files') ?? false;
;
async () => {


  { svelteHTML.createElement("div", {            "class":`drop`,"role":`presentation`,"ondragenter":(event) => {
    if (hasFiles(event)) depth += 1;
  },"ondragleave":(event) => {
    if (hasFiles(event)) depth = Math.max(0, depth - 1);
  },"ondragover":(event) => {
    if (hasFiles(event)) event.preventDefault();
  },"ondrop":(event) => {
    event.preventDefault();
    depth = 0;
    onfiles([...(event.dataTransfer?.files ?? [])]);
  },});
  ;__sveltets_2_ensureSnippet(children());
  if(depth > 0){ { svelteHTML.createElement("p", { "aria-hidden":`true`,});words; }}
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
const FileDrop__SvelteComponent_ = __sveltets_2_fn_component($$render());
/*Ωignore_startΩ*/type FileDrop__SvelteComponent_ = ReturnType<typeof FileDrop__SvelteComponent_>;
/*Ωignore_endΩ*/export default FileDrop__SvelteComponent_;