/** The tools need Node 22.12 or newer; `npm ci` brings one along for npm's scripts, whatever the machine has. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(
    `Node ${process.version} is too old. Run this through npm (npm run ...) after npm ci on Linux x64, or install Node 24.`,
  );
  process.exit(1);
}
