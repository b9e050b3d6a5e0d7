import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseStartOptionsOrHelp } from '../../client/start/start-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-start-options-'));
const file = join(folder, 'servers.json');
writeFileSync(file, JSON.stringify({ mcpServers: { mine: { command: 'node' } } }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the options of npm start', () => {
  it('are the usual ports, the usual folder and the bundled servers without any', () => {
    expect(parseStartOptionsOrHelp([])).toEqual({
      port: 8787,
      gatewayPort: 8970,
      modelsPort: 8971,
      folder: join(import.meta.dirname, '../../.sextant'),
      servers: undefined,
    });
  });

  it('name other ports, another folder and a file of servers', () => {
    const line = ['--port', '1', '--gateway-port=2', '--models-port', '65535', '--folder', 'x', '--servers', file];
    expect(parseStartOptionsOrHelp(line)).toEqual({
      port: 1,
      gatewayPort: 2,
      modelsPort: 65_535,
      folder: resolve('x'),
      servers: file,
    });
  });

  it.each([
    [['--port', 'abc'], '--port "abc": give a port, from 1 to 65535'],
    [['--models-port', '65536'], '--models-port "65536": give a port'],
    [['--gateway-port', '0'], '--gateway-port "0": give a port'],
    [['--prot', '1'], '"start" has no option --prot'],
    [['--servers'], '--servers wants a value: --servers FILE'],
    [['--servers', join(folder, 'none.json')], 'none.json": the file cannot be read'],
    [[file], 'is one word too many'],
    [['--port', '8970'], '--port and --gateway-port are 8970: give each a port of its own'],
    [['--port=1', '--gateway-port=2', '--models-port=1'], '--port and --models-port are 1:'],
    [
      ['--port=1', '--gateway-port=1', '--models-port=1'],
      '--port and --gateway-port and --models-port are 1: give each a port of its own',
    ],
  ])('are refused if they are invalid: %s', (line, words) => {
    expect(() => parseStartOptionsOrHelp(line)).toThrow(words);
  });

  it('are listed with their defaults by --help', () => {
    const asked = parseStartOptionsOrHelp(['--help']);
    const help = 'help' in asked ? asked.help : '';
    for (const words of [
      'Usage: npm start',
      '--port PORT',
      '8787',
      '8970',
      '8971',
      '--folder FOLDER',
      '--servers FILE',
    ])
      expect(help).toContain(words);
  });
});
