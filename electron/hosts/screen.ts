/** Whether a window can be shown. Only Linux runs without a screen as a matter of course, and says so in its environment. */
export function hasScreen(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): boolean {
  if (platform !== 'linux') return true;
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
}

export const NO_SCREEN =
  'There is no screen here (DISPLAY is not set). The command line needs none.';
