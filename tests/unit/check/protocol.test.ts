import { describe, expect, test } from 'vitest';
import type { Exchange, ProtocolRecord, Reply } from '#core/reports/check/protocol/exchange.ts';
import { judgeProtocol } from '#core/reports/check/protocol/judge-protocol.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';

let lastId = 0;
const exchange = (method: string, reply: Reply, id: string | number): Exchange => ({
  sent: JSON.stringify({ jsonrpc: '2.0', id, method }),
  id,
  reply,
});
const message = (method: string, fields: JsonObject, id: string | number = (lastId += 1)): Exchange => {
  const whole = { jsonrpc: '2.0', id, ...fields };
  return exchange(method, { kind: 'message', line: JSON.stringify(whole), message: whole }, id);
};
const result = (method: string, of: JsonObject, id?: string): Exchange => message(method, { result: of }, id);
const notFound = (method: string): Exchange => message(method, { error: { code: -32_601, message: 'not found' } });
const silence = (method: string, instead: string | null = null): Exchange =>
  exchange(method, { kind: 'silence', ms: 3000, instead }, (lastId += 1));
const ended = (method: string): Exchange => exchange(method, { kind: 'ended' }, (lastId += 1));
const status = (method: string, code: number): Exchange =>
  exchange(method, { kind: 'status', status: code }, (lastId += 1));

const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'good', version: '1' } };
const tool = (name: string, changes: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: 'object' },
  ...changes,
});
const good: ProtocolRecord = {
  era: 'legacy',
  greeting: result('initialize', initialized),
  unknownVersion: result('initialize', initialized),
  ping: result('ping', {}),
  unknownMethod: notFound('sextant/no-such-method'),
  textId: result('ping', {}, 'text-id-1'),
  lists: {
    tools: [
      result('tools/list', { tools: [tool('a')], nextCursor: '2' }),
      result('tools/list', { tools: [tool('b')] }),
    ],
    resources: [result('resources/list', { resources: [{ uri: 'file:///a', name: 'a' }] })],
    prompts: [result('prompts/list', { prompts: [{ name: 'a' }] })],
  },
  setLevel: result('logging/setLevel', {}),
  unknownTool: result('tools/call', { isError: true, content: [{ type: 'text', text: 'no such tool' }] }),
  afterNotification: result('ping', {}),
  afterMalformed: result('ping', {}),
  staysAfterEnd: false,
  unknownSession: status('ping', 404),
  foreignOriginStatus: 403,
};
const judge = (changes: Partial<ProtocolRecord>): string[] =>
  judgeProtocol('shop', { ...good, ...changes }).map(({ severity, sentence }) => `${severity}: ${sentence}`);

describe('a server that keeps the specification has no findings', () => {
  test('with initialize, and with all that it may leave out', () => {
    expect(judge({})).toEqual([]);
    const none = { ping: null, unknownTool: null, setLevel: null, unknownVersion: null, unknownSession: null };
    expect(judge({ ...none, lists: {}, foreignOriginStatus: null })).toEqual([]);
  });

  test('without initialize', () => {
    const greeting = result('server/discover', { supportedVersions: ['2026-07-28'], capabilities: {} });
    expect(judge({ era: 'modern', greeting, ping: null })).toEqual([]);
    const unknownTool = result('tools/call', { resultType: 'input_required', inputRequests: {} });
    expect(judge({ era: 'modern', greeting, ping: null, unknownTool })).toEqual([]);
  });

  test('that refuses a version and HTTP requests in other ways than most', () => {
    const unknownVersion = message('initialize', { error: { code: -32_602, message: 'unsupported' } });
    expect(judge({ unknownVersion, unknownMethod: status('x', 404), foreignOriginStatus: 421 })).toEqual([]);
    expect(judge({ unknownSession: message('ping', { error: { code: -32_000, message: 'no session' } }) })).toEqual([]);
  });
});

describe('what a server breaks is named, with its severity', () => {
  test.each<readonly [string, Partial<ProtocolRecord>, string]>([
    [
      'an initialize without serverInfo',
      { greeting: result('initialize', { ...initialized, serverInfo: undefined }) },
      'high: its answer to `initialize` lacks `serverInfo`',
    ],
    [
      'an initialize without a version of the server',
      { greeting: result('initialize', { ...initialized, serverInfo: { name: 'good' } }) },
      'high: its answer to `initialize` lacks `serverInfo.version`',
    ],
    [
      'a protocol version that is no date',
      { greeting: result('initialize', { ...initialized, protocolVersion: '1.0' }) },
      'high: it names the protocol version "1.0", which is no date',
    ],
    [
      'a protocol version that is only repeated',
      { unknownVersion: result('initialize', { ...initialized, protocolVersion: '1999-01-01' }) },
      'medium: it agrees to the protocol version 1999-01-01, which does not exist',
    ],
    ['a ping with an error', { ping: notFound('ping') }, 'medium: `ping` gets no result'],
    ['a ping in silence', { ping: silence('ping') }, 'medium: `ping` gets no result'],
    ['a ping that says something', { ping: result('ping', { ok: true }) }, 'medium: the result of `ping` is not empty'],
    [
      'a result for an unknown method',
      { unknownMethod: result('x', {}) },
      'medium: a request with an unknown method gets a result',
    ],
    [
      'silence for an unknown method',
      { unknownMethod: silence('x') },
      'high: a request with an unknown method gets no answer, so that clients wait until they give up',
    ],
    [
      'a text as id that is lost',
      { textId: silence('ping', '{"id":null,"result":{}}') },
      'high: a request whose id is a text gets no answer with that id',
    ],
    [
      'silence after an unknown notification',
      { afterNotification: silence('ping'), afterMalformed: silence('ping') },
      'medium: it answers no more after a notification that it does not know',
    ],
    [
      'silence after a line that is no JSON',
      { afterMalformed: silence('ping') },
      'medium: it answers no more after a line that is no JSON',
    ],
    [
      'an end after a line that is no JSON',
      { afterMalformed: ended('ping') },
      'high: it ends after a line that is no JSON',
    ],
    [
      'an end after an unknown notification',
      { afterNotification: ended('ping'), afterMalformed: ended('ping') },
      'high: it ends after a notification that it does not know',
    ],
    [
      'a declared list that is not there',
      { lists: { ...good.lists, prompts: [notFound('prompts/list')] } },
      'medium: it declares the capability `prompts` and does not know `prompts/list`',
    ],
    [
      'declared tools that are not there',
      { lists: { tools: [notFound('tools/list')] } },
      'high: it declares the capability `tools` and does not know `tools/list`',
    ],
    [
      'declared logging that is not there',
      { setLevel: notFound('logging/setLevel') },
      'medium: it declares the capability `logging` and does not know `logging/setLevel`',
    ],
    [
      'content that is a text',
      { unknownTool: result('tools/call', { content: 'no such tool' }) },
      'medium: the `content` of a result of `tools/call` is no list of parts with a `type`',
    ],
    [
      'a process that stays',
      { staysAfterEnd: true },
      'low: its process still runs 8 s after its standard input was closed',
    ],
    [
      'a session that never was',
      { unknownSession: result('ping', {}) },
      'medium: it serves requests with a session id that it never gave out',
    ],
    [
      'a foreign web site that is served',
      { foreignOriginStatus: 200 },
      'medium: a request with the `Origin` of a foreign web site gets HTTP 200, so that any page in a browser on this machine can call its tools (DNS rebinding)',
    ],
  ])('%s', (_, changes, said) => {
    expect(judge(changes)).toEqual([said]);
  });

  test('a server that answers nothing more has one finding and not one for each request', () => {
    const none = { unknownMethod: silence('x'), textId: silence('ping'), afterNotification: silence('ping') };
    expect(judge({ ...none, ping: silence('ping'), lists: {}, afterMalformed: silence('ping') })).toEqual([
      'medium: `ping` gets no result',
    ]);
  });

  test('the lines that show it are the evidence', () => {
    const [found] = judgeProtocol('shop', { ...good, textId: silence('ping', '{"id":null,"result":{}}') });
    expect(found).toMatchObject({ rule: 'protocol-violated', family: 'conformant', server: 'shop', tool: null });
    expect(found?.evidence).toEqual([
      expect.stringMatching(/^request: \{"jsonrpc":"2.0".*"ping"\}$/),
      'no answer within 3 s',
      'came instead: {"id":null,"result":{}}',
    ]);
  });
});

describe('the form of each answer is judged, and each kind of fault is named once', () => {
  test.each<readonly [string, JsonObject, string]>([
    [
      'no version of JSON-RPC',
      { jsonrpc: undefined, result: {} },
      'an answer has no `"jsonrpc": "2.0"`: clients drop it',
    ],
    [
      'an id of another type',
      { id: '7', result: {} },
      'an answer has the id of its request in another type: clients do not match the two',
    ],
    ['a result beside an error', { result: {}, error: null }, 'an answer has both a `result` and an `error`'],
    ['neither of them', {}, 'an answer has neither an object as its `result` nor an `error`'],
    ['a result that is a list', { result: [] }, 'an answer has neither an object as its `result` nor an `error`'],
    [
      'an error whose code is a text',
      { error: { code: 'E1', message: 'bad' } },
      'the `error` of an answer has no integer as its `code` or no text as its `message`',
    ],
  ])('%s', (_, fields, said) => {
    const afterNotification = message('ping', fields, 7);
    const afterMalformed = message('ping', fields, 7);
    expect(judge({ afterNotification, afterMalformed })).toContain(`high: ${said}`);
    expect(judge({ afterNotification, afterMalformed }).filter((each) => each.endsWith(said))).toHaveLength(1);
  });
});

describe('lists are judged', () => {
  const judgeTools = (...pages: JsonObject[]): string[] =>
    judge({ lists: { tools: pages.map((page) => result('tools/list', page)) } });

  test('a name that two tools have, on one page or on two', () => {
    const said = ['high: it lists more than one tool with the name "a": calls reach only one of them'];
    expect(judgeTools({ tools: [tool('a'), tool('a'), tool('b')] })).toEqual(said);
    expect(judgeTools({ tools: [tool('a')], nextCursor: '2' }, { tools: [tool('a')] })).toEqual(said);
  });

  test('tools without an input schema of an object; another type is left to the rule for schemas', () => {
    const tools = [tool('a', { inputSchema: undefined }), tool('b', { inputSchema: {} }), tool('c')];
    expect(judgeTools({ tools: [...tools, tool('d', { inputSchema: { type: 'string' } })] })).toEqual([
      'high: the `inputSchema` of "a", "b" is no object with `"type": "object"`: clients refuse the whole list',
    ]);
  });

  test('a list that is none, items without a name, and a cursor that is null', () => {
    expect(judgeTools({ tools: { a: tool('a') } })[0]).toContain('high: the result of `tools/list` is no list `tools`');
    expect(judgeTools({ tools: [{ inputSchema: { type: 'object' } }] })).toHaveLength(1);
    expect(judgeTools({ tools: [tool('a')], nextCursor: null })).toEqual([
      'high: the `nextCursor` of `tools/list` is no text: clients refuse the whole list',
    ]);
    const resources = [result('resources/list', { resources: [{ uri: 'file:///a' }] })];
    expect(judge({ lists: { resources } })[0]).toContain('objects with `uri` and `name`');
  });
});
