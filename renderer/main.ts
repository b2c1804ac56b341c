import { mount } from 'svelte';
import App from './App.svelte';
import './tokens.css';
import './base.css';
import './components/overlay.css';

const target = document.getElementById('app');
if (target === null) throw new Error('The page has no place for the desk');
mount(App, { target });
