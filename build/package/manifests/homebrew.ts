import type { Release } from './release.ts';

/**
 * Returns Homebrew's cask. It has no `zap`, which would remove drafts and the outbox's records with
 * the program: both belong to the user (build/decisions/package-managers.md).
 */
export function homebrew({ about, settings, dmg }: Release): string {
  // Homebrew's own check requires that the cask contains the version only once.
  const url = dmg.url.replaceAll(about.version, '#{version}');
  return `cask "${about.name}" do
  version "${about.version}"
  sha256 "${dmg.sha256}"

  url "${url}"
  name "${settings.productName}"
  desc "${about.description}"
  homepage "${about.homepage}"

  depends_on arch: :arm64

  app "${settings.productName}.app"
end
`;
}
