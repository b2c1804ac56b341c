export { default } from "./++CountryRow.svelte.ts";
export * from "./++CountryRow.svelte.ts";
