import type { Card } from './card.ts';

/** What the tools of the server `everything` do. */
export const everything: readonly Card[] = [
  {
    tool: 'everything/echo',
    phrases: ['say {message} back to me', 'repeat the words {message}', 'send {message} through the parrot'],
    slots: { message: { kind: 'text', samples: ['ahoy there', 'testing one two', 'is anybody listening'] } },
    gives: [{ kind: 'text', noun: 'the echoed message', pick: { pattern: 'Echo: (.+)' } }],
  },
  {
    tool: 'everything/get-annotated-message',
    phrases: [
      'show an annotated sample message of the type {messageType}',
      'demonstrate annotations with a {messageType} notice',
      'produce an example notice of the kind {messageType}, annotations included',
    ],
    slots: { messageType: { kind: 'message-type', samples: ['success', 'debug'] } },
    gives: [{ kind: 'text', noun: 'the annotated message', pick: { pattern: '^(.+)' } }],
  },
  {
    tool: 'everything/get-env',
    phrases: [
      'list the environment variables of the server',
      'show in which environment the process runs',
      'print every environment setting for debugging',
    ],
    slots: {},
    gives: [],
  },
  {
    tool: 'everything/get-resource-links',
    phrases: [
      'return {count} links to demo resources',
      'give me {count} resource links to follow',
      'collect links for {count} of the demo resources',
    ],
    slots: { count: { kind: 'link-count', samples: [2, 4, 7] } },
    gives: [
      { kind: 'text', noun: 'the sentence about the links', pick: { pattern: '^(Here are \\d+ resource links)' } },
    ],
  },
  {
    tool: 'everything/get-resource-reference',
    phrases: [
      'get a reference to the text resource number {resourceId}',
      'point me at text resource {resourceId}',
      'embed the demo text resource with the number {resourceId}',
    ],
    slots: { resourceId: { kind: 'resource-number', samples: [2, 5, 11] } },
    constants: { resourceType: 'Text' },
    gives: [{ kind: 'text', noun: 'the URI of the resource', pick: { pattern: 'URI: (\\S+)' } }],
  },
  {
    tool: 'everything/get-structured-content',
    phrases: [
      'report the demo weather for {location}',
      'get structured weather data about the city {location}',
      'tell how warm the sample weather in {location} is',
    ],
    slots: { location: { kind: 'weather-city', samples: ['New York', 'Chicago', 'Los Angeles'] } },
    gives: [
      { kind: 'number', noun: 'the temperature', pick: { path: 'temperature' } },
      { kind: 'text', noun: 'the weather conditions', pick: { path: 'conditions' } },
    ],
  },
  {
    tool: 'everything/get-sum',
    phrases: ['add {a} and {b}', 'sum up {a} and {b}', 'compute {a} plus {b}'],
    slots: {
      a: { kind: 'number', samples: [17, 2.5, 640] },
      b: { kind: 'number', samples: [25, 13.75, 1080] },
    },
    gives: [{ kind: 'number', noun: 'the sum', pick: { pattern: ' is (-?[\\d.]+(?:e[+-]?\\d+)?)\\.$' } }],
  },
  {
    tool: 'everything/get-tiny-image',
    phrases: ['show the tiny logo image', 'fetch the small picture of the logo', 'return the miniature logo'],
    slots: {},
    gives: [],
  },
  {
    tool: 'everything/gzip-file-as-resource',
    phrases: [
      'compress the data URI {data} with gzip',
      'gzip the contents of {data}',
      'pack {data} into a compressed archive resource',
    ],
    slots: {
      data: {
        kind: 'data-uri',
        samples: ['data:text/plain,low%20tide', 'data:text/plain,spring%20fair', 'data:text/csv,lamp,42'],
      },
    },
    constants: { name: 'packed.gz', outputType: 'resourceLink' },
    gives: [],
  },
  {
    tool: 'everything/toggle-simulated-logging',
    phrases: [
      'switch the simulated log messages on',
      'start the simulated logging',
      'let the server send made-up log lines',
    ],
    slots: {},
    gives: [],
  },
  {
    tool: 'everything/toggle-subscriber-updates',
    phrases: [
      'start the simulated updates for subscribers',
      'turn on made-up resource updates',
      'begin sending simulated update notifications to subscribers',
    ],
    slots: {},
    gives: [],
  },
  {
    tool: 'everything/trigger-long-running-operation',
    phrases: [
      'run the demo operation for {duration} seconds',
      'start a slow operation that lasts {duration} seconds',
      'keep the server busy for {duration} seconds in two steps',
    ],
    slots: { duration: { kind: 'short-duration', samples: [0.1, 0.2, 0.3] } },
    constants: { steps: 2 },
    gives: [],
  },
  {
    tool: 'everything/get-roots-list',
    phrases: [
      'list the roots that the client offers',
      'show which root folders the client has shared',
      'tell what roots are configured',
    ],
    slots: {},
    gives: [],
  },
  {
    tool: 'everything/trigger-sampling-request',
    phrases: [
      'ask the language model of the client {prompt}',
      'send the prompt {prompt} to the attached model',
      'request a sampled answer to {prompt}',
    ],
    slots: { prompt: { kind: 'text', samples: ['Name three harbours.', 'What is a lathe?', 'Describe the sea.'] } },
    gives: [{ kind: 'text', noun: 'the sampled reply', pick: { pattern: '"text": "([^"]+)"' } }],
  },
  {
    tool: 'everything/trigger-elicitation-request',
    phrases: [
      'ask the user to fill in the demo form',
      'elicit the sample details from the user',
      'put the example questionnaire before the user',
    ],
    slots: {},
    gives: [],
  },
];
