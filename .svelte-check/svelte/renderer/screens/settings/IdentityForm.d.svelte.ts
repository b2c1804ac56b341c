export { default } from "./++IdentityForm.svelte.ts";
export * from "./++IdentityForm.svelte.ts";
