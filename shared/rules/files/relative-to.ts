/** Path of a file relative to a folder, with `/`; null if the file is not in the folder. */
export function relativeTo(root: string, file: string): string | null {
  if (!file.startsWith(root)) return null;
  const rest = file.slice(root.length);
  if (!/^[\\/]/.test(rest) && !/[\\/]$/.test(root)) return null;
  const inside = rest.replace(/^[\\/]+/, '');
  return root.includes('\\') ? inside.replaceAll('\\', '/') : inside;
}
