///<reference types="svelte" />
;
import type { Snippet } from 'svelte';
import { Virtualizer, type VirtualizerHandle } from 'virtua/svelte';
function $$render<Row>() {

  
  

  interface Props {
    /** What the list is, for people who cannot see it. */
    label: string;
    rows: readonly Row[];
    /** How many there are in all, when only the first ones are loaded. */
    total?: number;
    keyOf: (row: Row) => string;
    /** Header cells and the `grid-template-columns` they share with the rows. */
    columns: readonly { readonly title: string; readonly width: string }[];
    /** Row key under the cursor; always mounted, so that focus is never lost. */
    active: string | null;
    /** Keys of the marked rows, where rows can be marked. */
    marked?: ReadonlySet<string>;
    onactive: (key: string) => void;
    onopen?: (key: string) => void;
    /** A row was chosen with the pointer, which keyboard moves are not. */
    onpick?: (key: string) => void;
    onmark?: (key: string) => void;
    onkey?: (event: KeyboardEvent) => void;
    /** The last rows came into view: more may be loaded. */
    onend?: () => void;
    cells: Snippet<[row: Row]>;
  }

  const {
    label,
    rows,
    total,
    keyOf,
    columns,
    active,
    marked,
    onactive,
    onopen,
    onpick,
    onmark,
    onkey,
    onend,
    cells,
  }: Props = $props();

  /** Rows still to scroll when more are asked for. */
  const NEAR_END = 40;
  const PAGE = 10;

  const gridId = $props.id();
  let scroller = $state<HTMLElement>();
  let list = $state<VirtualizerHandle>();

  const template = $derived(columns.map((column) => column.width).join(' '));
  const index = $derived(rows.findIndex((row) => keyOf(row) === active));
  const rowId = (key: string): string => `${gridId}-${key}`;

  function moveTo(wanted: number): void {
    const next = Math.max(0, Math.min(rows.length - 1, wanted));
    const row = rows[next];
    if (row === undefined) return;
    onactive(keyOf(row));
    list?.scrollToIndex(next, { align: 'nearest' });
  }

  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => moveTo(index + 1),
    ArrowUp: () => moveTo(index - 1),
    j: () => moveTo(index + 1),
    k: () => moveTo(index - 1),
    PageDown: () => moveTo(index + PAGE),
    PageUp: () => moveTo(index - PAGE),
    Home: () => moveTo(0),
    End: () => moveTo(rows.length - 1),
    Enter: () => active !== null && onopen?.(active),
    ' ': () => active !== null && onmark?.(active),
  };

  function press(event: KeyboardEvent): void {
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      onkey?.(event);
      return;
    }
    event.preventDefault();
    move();
  }

  function scrolled(): void {
    if (list === undefined || scroller === undefined) return;
    // The list hears of the scroll later than this does: its own offset is still the one before.
    const last = list.findItemIndex(scroller.scrollTop + scroller.clientHeight);
    if (last >= rows.length - NEAR_END) onend?.();
  }
;
async () => {


 { svelteHTML.createElement("div", { "class":`frame`,});
   { const $$_div1 = svelteHTML.createElement("div", {                       "class":`grid`,"role":`grid`,"tabindex":0,"aria-label":label,"aria-rowcount":(total ?? rows.length) + 1,"aria-multiselectable":marked === undefined ? undefined : true,"aria-activedescendant":index < 0 || active === null ? undefined : rowId(active),"onkeydown":press,"onscroll":scrolled,"onfocus":() => index < 0 && moveTo(0),});__sveltets_2_ensureType(String, Number, template);scroller = $$_div1;
     { svelteHTML.createElement("div", {     "class":`header`,"role":`row`,"aria-rowindex":1,});
         for(let column of __sveltets_2_ensureArray(columns)){column.title;
         { svelteHTML.createElement("div", { "role":`columnheader`,});column.title; }
      }
     }
    if(scroller){
       { const $$_rezilautriV2C = __sveltets_2_ensureComponent(Virtualizer); const $$_rezilautriV2 = new $$_rezilautriV2C({ target: __sveltets_2_any(), props: {              "data":rows,"getKey":keyOf,"scrollRef":scroller,"startMargin":36,"keepMounted":index < 0 ? [] : [index],"item":`div`,children:(row, position) => { async ()/*Ωignore_positionΩ*/ => {
          const key = keyOf(row);
          
           { svelteHTML.createElement("div", {                 "class":['row', { active: key === active }],"role":`row`,"id":rowId(key),...__sveltets_2_empty({"data-id":key}),"aria-rowindex":position + 2,"aria-selected":marked === undefined ? key === active : marked.has(key),"onclick":() => {
              onactive(key);
              onpick?.(key);
            },"ondblclick":() => onopen?.(key),});
            ;__sveltets_2_ensureSnippet(cells(row));
           }
        };return __sveltets_2_any(0)},}});list = $$_rezilautriV2;/*Ωignore_startΩ*/const {children} = $$_rezilautriV2.$$prop_def;/*Ωignore_endΩ*/
        
       Virtualizer}
    }
   }
 }


};
return { props: {} as any as Props, exports: {}, bindings: __sveltets_$$bindings(''), slots: {}, events: {} }}
class __sveltets_Render<Row> {
    props(): ReturnType<typeof $$render<Row>>['props'] { return null as any; }
    events(): ReturnType<typeof $$render<Row>>['events'] { return null as any; }
    slots(): ReturnType<typeof $$render<Row>>['slots'] { return null as any; }
    bindings() { return __sveltets_$$bindings(''); }
    exports() { return {}; }
}

interface $$IsomorphicComponent {
    new <Row>(options: import('svelte').ComponentConstructorOptions<ReturnType<__sveltets_Render<Row>['props']>>): import('svelte').SvelteComponent<ReturnType<__sveltets_Render<Row>['props']>, ReturnType<__sveltets_Render<Row>['events']>, ReturnType<__sveltets_Render<Row>['slots']>> & { $$bindings?: ReturnType<__sveltets_Render<Row>['bindings']> } & ReturnType<__sveltets_Render<Row>['exports']>;
    <Row>(internal: unknown, props: ReturnType<__sveltets_Render<Row>['props']> & {}): ReturnType<__sveltets_Render<Row>['exports']>;
    z_$$bindings?: ReturnType<__sveltets_Render<any>['bindings']>;
}
const Grid__SvelteComponent_: $$IsomorphicComponent = null as any;
/*Ωignore_startΩ*/type Grid__SvelteComponent_<Row> = InstanceType<typeof Grid__SvelteComponent_<Row>>;
/*Ωignore_endΩ*/export default Grid__SvelteComponent_;