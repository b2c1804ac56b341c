/**
 * Runs at the end of `npm ci`, in any Node that npm found; plain syntax, so that an old Node can
 * parse it. Prints one sentence about what keeps this computer from running the scripts, or which
 * warnings can be ignored.
 */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const pinnedNodeVersion = manifest.devDependencies.node;
/** npm's own user agent: `npm/11.19.1 node/v20.20.2 linux x64 …`. */
const packageManagerAgent = process.env.npm_config_user_agent || '';
const [, npm] = /npm\/(\S+)/.exec(packageManagerAgent) || [];
const [, node] = /node\/v(\S+)/.exec(packageManagerAgent) || [];

const problem = installationProblem();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else if (node !== undefined && isOlder(node, pinnedNodeVersion)) {
  console.log(
    `Everything here runs on Node ${pinnedNodeVersion}, which is installed now: if npm warned (EBADENGINE), that was about Node ${node}, which only ran npm.`,
  );
}

/** @returns {string | undefined} */
function installationProblem() {
  // npm puts the programs of packages first in the path, so this is the pinned Node if it is
  // installed.
  if (process.versions.node === pinnedNodeVersion) return undefined;
  for (const [name, found] of [
    ['node', node],
    ['npm', npm],
  ]) {
    const least = manifest.engines[name].replace('>=', '');
    if (found !== undefined && isOlder(found, least)) {
      return `Node ${pinnedNodeVersion}, on which everything here runs, was not installed, which takes ${name} ${least} or newer: this is ${name} ${found}.`;
    }
  }
  return `Node ${pinnedNodeVersion}, on which everything here runs, was not installed by its package "node": allow that package its install script, or use a system and a processor that Node is built for, and run npm ci again.`;
}

/**
 * @param {string} version
 * @param {string} least
 */
function isOlder(version, least) {
  const own = version.split('.').map(Number);
  const other = least.split('.').map(Number);
  const at = other.findIndex((part, index) => part !== own[index]);
  return at >= 0 && own[at] < other[at];
}
