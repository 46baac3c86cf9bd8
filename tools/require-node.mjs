// Must run on every version of Node with modules, because it reports that a version is too old.
const NEEDED = [20, 19];

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  console.error(
    'Node ' +
      NEEDED.join('.') +
      ' or later is required; this is Node ' +
      process.versions.node +
      '. ' +
      'Install a newer one (https://nodejs.org, or `nvm install` in this folder) and run the command again.',
  );
  process.exit(1);
}
