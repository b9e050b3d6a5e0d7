import type { Card } from './card.ts';

/** What the tools of the server `system` do. */
export const system: readonly Card[] = [
  {
    tool: 'system/get-system-info',
    phrases: [
      'describe the machine with its processor plus memory',
      'tell which platform the computer runs on',
      'look up the hardware of this computer',
    ],
    slots: {},
    gives: [
      { kind: 'text', noun: 'the platform', pick: { path: 'platform' } },
      { kind: 'integer', noun: 'the total memory in bytes', pick: { path: 'memory.totalBytes' } },
    ],
  },
  {
    tool: 'system/poll-system-stats',
    phrases: [
      'measure how busy the machine is right now',
      'take a reading of memory use plus uptime',
      'poll the live figures of processor load',
    ],
    slots: {},
    gives: [
      { kind: 'integer', noun: 'the memory in use', pick: { path: 'memory.usedBytes' } },
      { kind: 'number', noun: 'the uptime in seconds', pick: { path: 'uptime.seconds' } },
    ],
  },
];
