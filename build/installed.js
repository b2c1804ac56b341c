/**
 * Runs at the end of `npm ci`, in whatever Node npm found: plain, so that an old one can read it. Says
 * in one sentence what keeps this computer from running the scripts, or which warnings are nothing.
 */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const pinned = manifest.devDependencies.node;
/** As npm calls itself: `npm/11.19.1 node/v20.20.2 linux x64 …`. */
const agent = process.env.npm_config_user_agent || '';
const [, npm] = /npm\/(\S+)/.exec(agent) || [];
const [, node] = /node\/v(\S+)/.exec(agent) || [];

const problem = whatIsWrong();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else if (node !== undefined && isOlder(node, pinned)) {
  console.log(
    `Everything here runs on Node ${pinned}, which is installed now: if npm warned (EBADENGINE), that was about Node ${node}, which only ran npm.`,
  );
}

/** @returns {string | undefined} */
function whatIsWrong() {
  // npm puts the packages' programs first into the path, so this is the pinned Node where there is one.
  if (process.versions.node === pinned) return undefined;
  for (const [name, found] of [
    ['node', node],
    ['npm', npm],
  ]) {
    const least = manifest.engines[name].replace('>=', '');
    if (found !== undefined && isOlder(found, least)) {
      return `Node ${pinned}, on which everything here runs, was not installed, which takes ${name} ${least} or newer: this is ${name} ${found}.`;
    }
  }
  return `Node ${pinned}, on which everything here runs, was not installed by its package "node": allow that package its install script, or use a system and a processor that Node is built for, and run npm ci again.`;
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
