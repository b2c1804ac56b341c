import { descriptionParagraphs } from '../about.ts';
import type { Release } from './release.ts';

/** The newest manifest version that winget's public repository accepts. */
const MANIFEST_VERSION = '1.10.0';
const MANIFEST_LOCALE = 'en-US';

/** Returns winget's three files of a version, by their names: schemas "manifest.*.1.10.0.json". */
export function winget({ about, settings, exe }: Release): Record<string, object> {
  const name = settings.productName.replaceAll(' ', '');
  const id = `${name}.${name}`;
  const version = { PackageIdentifier: id, PackageVersion: about.version };
  const installer = {
    Architecture: 'x64',
    InstallerUrl: exe.url,
    InstallerSha256: exe.sha256.toUpperCase(),
  };
  return {
    [`${id}.yaml`]: { ...version, DefaultLocale: MANIFEST_LOCALE, ...manifestKind('version') },
    [`${id}.installer.yaml`]: {
      ...version,
      InstallerType: 'nullsoft',
      InstallModes: ['interactive', 'silent'],
      UpgradeBehavior: 'install',
      Protocols: settings.protocols.schemes,
      FileExtensions: [settings.fileAssociations.ext],
      // The installer shows a choice between one user and all users; these options make the choice.
      Installers: [
        { ...installer, Scope: 'user', InstallerSwitches: { Custom: '/currentuser' } },
        {
          ...installer,
          Scope: 'machine',
          InstallerSwitches: { Custom: '/allusers' },
          ElevationRequirement: 'elevatesSelf',
        },
      ],
      ...manifestKind('installer'),
    },
    [`${id}.locale.${MANIFEST_LOCALE}.yaml`]: {
      ...version,
      PackageLocale: MANIFEST_LOCALE,
      Publisher: about.author.name,
      PublisherUrl: about.homepage,
      PublisherSupportUrl: about.bugs.url,
      PackageName: settings.productName,
      PackageUrl: about.homepage,
      License: about.license,
      ShortDescription: about.description,
      Description: descriptionParagraphs.join('\n\n'),
      Moniker: about.name,
      ...manifestKind('defaultLocale'),
    },
  };
}

const manifestKind = (type: string): object => ({
  ManifestType: type,
  ManifestVersion: MANIFEST_VERSION,
});
