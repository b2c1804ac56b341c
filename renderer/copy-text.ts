/**
 * Puts text on the clipboard, as part of a key or click. Through the copy event, since the hosts
 * give the page no permission at all, and the asynchronous clipboard needs one.
 */
export function copyText(text: string): void {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', put, { once: true });
  document.execCommand('copy');
  document.removeEventListener('copy', put);
}
