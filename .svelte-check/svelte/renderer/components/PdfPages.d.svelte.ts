export { default } from "./++PdfPages.svelte.ts";
export * from "./++PdfPages.svelte.ts";
