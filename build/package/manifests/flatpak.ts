import type { Release } from './release.ts';

/**
 * Version of the runtime of freedesktop.org, and of the base of Electron programs; both must be the
 * same.
 */
const FLATPAK_RUNTIME_VERSION = '25.08';

/** Returns flatpak-builder's manifest: the content of the .deb in Flatpak's layout. */
export function flatpak({ about, settings, deb }: Release): object {
  const { name } = about;
  return {
    id: settings.appId,
    runtime: 'org.freedesktop.Platform',
    'runtime-version': FLATPAK_RUNTIME_VERSION,
    sdk: 'org.freedesktop.Sdk',
    base: 'org.electronjs.Electron2.BaseApp',
    'base-version': FLATPAK_RUNTIME_VERSION,
    command: name,
    'rename-desktop-file': `${name}.desktop`,
    'rename-icon': name,
    'finish-args': [
      '--share=network',
      '--share=ipc',
      '--socket=wayland',
      '--socket=fallback-x11',
      '--device=dri',
      '--talk-name=org.freedesktop.secrets',
      '--talk-name=org.kde.StatusNotifierWatcher',
      // Folder for archives and watched folders; the user must allow other folders (flatpak
      // override).
      '--filesystem=xdg-documents',
    ],
    modules: [
      {
        name,
        buildsystem: 'simple',
        sources: [
          {
            type: 'file',
            url: deb.url,
            sha256: deb.sha256,
            'only-arches': ['x86_64'],
            'dest-filename': 'program.deb',
          },
        ],
        'build-commands': flatpakCommands(name, settings.productName),
      },
    ],
  };
}

/**
 * Returns the commands that install `program.deb` below /app.
 * @internal Exported for a test that runs them.
 */
export function flatpakCommands(name: string, productName: string): readonly string[] {
  const command = `/app/${name}/command/${name}`;
  return [
    'ar x program.deb',
    'tar --extract --file data.tar.*',
    `mv "opt/${productName}" /app/${name}`,
    'cp --recursive usr/share /app',
    // Inside a Flatpak, Flatpak itself creates the sandbox of a page, on zypak's request.
    `sed --in-place 's/exec "$program"/exec zypak-wrapper "$program"/' ${command}`,
    `grep --quiet 'exec zypak-wrapper' ${command}`,
    `mkdir --parents /app/bin && ln --symbolic ../${name}/command/${name} /app/bin/${name}`,
    `desktop-file-edit --set-key=Exec --set-value='${name} %U' /app/share/applications/${name}.desktop`,
  ];
}
