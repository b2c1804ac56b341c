/**
 * Puts text on the clipboard, as part of a key or click. Through the copy event, since the hosts
 * give the page no permission at all, and the asynchronous clipboard needs one. False when it did
 * not happen, since the key or click is too long ago.
 */
export function copyText(text: string): boolean {
  let isDone = false;
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    isDone = true;
  };
  document.addEventListener('copy', put, { once: true });
  document.execCommand('copy');
  document.removeEventListener('copy', put);
  return isDone;
}
