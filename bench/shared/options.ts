import { parseArgs } from 'node:util';
import { z } from 'zod';

/** What every measurement can be told on its command line. */
export interface BenchOptions {
  /** The figures in JSON are the only line of the output; how far it is goes to the standard error. */
  readonly json: boolean;
  readonly port: number;
  readonly gatewayPort: number;
  readonly modelsPort: number;
}

const port = z.coerce.number().int().min(1).max(65_535);

export function benchOptions(): BenchOptions {
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

/** Tells a person how far it is; what reads JSON from the output gets nothing else there. */
export const sayer =
  ({ json }: BenchOptions) =>
  (line: string): void =>
    json ? console.error(line) : console.log(line);
