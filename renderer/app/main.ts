import { mount } from 'svelte';
import App from './App.svelte';
import { speak } from '../ui/language.svelte.ts';
import '../ui/tokens.css';
import '../ui/base.css';
import '../ui/dialogs/overlay.css';

const target = document.getElementById('app');
if (target === null) throw new Error('The page has no place for the desk');
// Some fields are read on blur, and a closing window fires no blur event.
window.addEventListener('pagehide', () => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
});
// Use the system's language until the user's is known, and English if the language's file cannot be
// read.
await speak(null, navigator.language).catch(() => undefined);
mount(App, { target });
