/**
 * Copies text to the clipboard during a key press or click. It uses the copy event, because the
 * hosts grant the page no permissions and the asynchronous clipboard needs one. Returns false if it
 * failed because the key press or click is too long ago.
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
