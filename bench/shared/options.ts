import { parseArgs } from 'node:util';
import { z } from 'zod';

/** The options of every measurement. */
export interface BenchOptions {
  /** Print the figures as one line of JSON; progress goes to standard error. */
  readonly json: boolean;
  readonly port: number;
  readonly gatewayPort: number;
  readonly modelsPort: number;
}

const port = z.coerce.number().int().min(1).max(65_535);

export function readBenchOptions(): BenchOptions {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      port: { type: 'string', default: '18787' },
      'gateway-port': { type: 'string', default: '18970' },
      'models-port': { type: 'string', default: '18971' },
    },
  });
  return {
    json: values.json,
    port: port.parse(values.port),
    gatewayPort: port.parse(values['gateway-port']),
    modelsPort: port.parse(values['models-port']),
  };
}

/** Reports progress to a person; keeps it out of JSON output. */
export const makeLogOutsideJson =
  ({ json }: BenchOptions) =>
  (line: string): void =>
    json ? console.error(line) : console.log(line);
