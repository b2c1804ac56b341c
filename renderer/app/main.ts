import { mount } from 'svelte';
import App from './App.svelte';
import { speak } from '../ui/language.svelte.ts';
import '../ui/tokens.css';
import '../ui/base.css';
import '../ui/dialogs/overlay.css';

const target = document.getElementById('app');
if (target === null) throw new Error('The page has no place for the desk');
// Some fields are read when they are left, and a window that closes leaves them without a word.
window.addEventListener('pagehide', () => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
});
// The system's language until the person's own is known; English when its file cannot be read.
await speak(null, navigator.language).catch(() => undefined);
mount(App, { target });
