/**
 * Runs at the end of `npm ci`, in any Node that npm found; its syntax is plain, so that an old Node
 * can parse this file. Prints one sentence with the reason why the scripts cannot run on this
 * computer, or with the warnings that can be ignored.
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
  // npm puts the programs of packages first in the path, so this script runs in the pinned Node if
  // that is installed.
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
