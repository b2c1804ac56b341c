import { contextBridge, ipcRenderer } from 'electron';
import { WINDOW_CHANNEL } from './window-channel.ts';

contextBridge.exposeInMainWorld('desk', {
  post(message: string) {
    ipcRenderer.send(WINDOW_CHANNEL, message);
  },
  onMessage(listener: (message: string) => void) {
    // The event must not reach the page: it contains the sender, and with it the whole channel.
    ipcRenderer.on(WINDOW_CHANNEL, (_event, message: string) => listener(message));
  },
});
