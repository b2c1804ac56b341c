import { descriptionParagraphs } from '../about.ts';
import type { Release } from './release.ts';

/** Name that the snap gives the permission of a sandboxed page. */
const SANDBOX_PLUG = 'page-sandbox';

/** Returns snapcraft.yaml: the content of the .deb in Snap's layout. */
export function snap({ about, settings, deb }: Release): object {
  const { name } = about;
  return {
    name,
    title: settings.productName,
    version: about.version,
    summary: about.description,
    description: descriptionParagraphs.join('\n\n'),
    license: about.license,
    contact: about.author.email,
    website: about.homepage,
    issues: about.bugs.url,
    base: 'core24',
    grade: 'stable',
    confinement: 'strict',
    platforms: { amd64: { 'build-on': ['amd64'], 'build-for': ['amd64'] } },
    // Pages keep Chromium's sandbox. The store requires a reason before it allows this permission.
    plugs: { [SANDBOX_PLUG]: { interface: 'browser-support', 'allow-sandbox': true } },
    apps: {
      [name]: {
        command: `${name}/command/${name}`,
        desktop: `usr/share/applications/${name}.desktop`,
        'common-id': settings.appId,
        extensions: ['gnome'],
        plugs: [SANDBOX_PLUG, 'home', 'network', 'password-manager-service', 'removable-media'],
      },
    },
    parts: {
      [name]: {
        plugin: 'dump',
        source: deb.url,
        'source-type': 'deb',
        'source-checksum': `sha256/${deb.sha256}`,
        organize: { [`opt/${settings.productName}`]: name },
        'stage-packages': ['libnspr4', 'libnss3'],
      },
    },
  };
}
