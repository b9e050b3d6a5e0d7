// Plain JavaScript: a Node that is too old for the rest cannot read TypeScript either. `npm ci` installs one for npm's
// scripts on Linux x64, regardless of the machine's own.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node ${process.version} is too old. Run this through npm (npm run ...) after npm ci on Linux x64, or install Node 24.`,
  );
  process.exit(1);
}
