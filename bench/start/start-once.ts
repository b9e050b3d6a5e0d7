import { startSextantOnThisMachine } from '../../engine/development.ts';

/** Starts Sextant without MCP servers in a folder and on the ports given, says so in a line, and stops when its input ends. */
const [folder = '', port, gatewayPort, modelsPort] = process.argv.slice(2);
const { stop } = await startSextantOnThisMachine({
  folder,
  port: Number(port),
  gatewayPort: Number(gatewayPort),
  modelsPort: Number(modelsPort),
  servers: null,
  log: console.error,
});
console.log('ready');
process.stdin.resume().once('end', () => void stop());
