import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { findingBy, type CheckFinding } from '../finding.ts';
import {
  listedCapabilities,
  neverVersion,
  resultOf,
  type Exchange,
  type ProtocolFault,
  type ProtocolRecord,
} from './exchange.ts';
import { findListFaults } from './list-faults.ts';
import { findMessageFaults } from './message-faults.ts';

const methodNotFound = -32_601;

/**
 * Returns what a server did against the specification of MCP (2025-11-25, and 2026-07-28 for servers without `initialize`). Together
 * with the requests it covers what these scenarios of the public conformance suite ask of servers on stdio: server-initialize,
 * ping, tools-list, resources-list, prompts-list, logging-set-level and wire-schema-valid; on HTTP also dns-rebinding-protection.
 */
export function judgeProtocol(server: string, record: ProtocolRecord): CheckFinding[] {
  const faults = [
    ...findGreetingFaults(record),
    ...findMessageFaults(listExchanges(record)),
    ...findPingFaults(record),
    ...findUnknownMethodFaults(record),
    ...findCapabilityFaults(record),
    ...findListFaults(record.lists),
    ...findContentFaults(record),
    ...findEndFaults(record),
    ...findHttpFaults(record),
  ];
  return faults.map(({ shown, ...said }) =>
    findingBy('protocol-violated', {
      server,
      ...said,
      evidence: shown === null ? [] : 'sent' in shown ? evidenceOf(shown) : shown,
    }),
  );
}

/** Returns all exchanges in the order in which they were made. */
function listExchanges(record: ProtocolRecord): Exchange[] {
  const { greeting, ping, unknownMethod, textId, lists, setLevel, unknownTool } = record;
  const pages = listedCapabilities.flatMap((capability) => lists[capability] ?? []);
  const { afterNotification, afterMalformed, unknownVersion } = record;
  return [
    greeting,
    ping,
    unknownMethod,
    textId,
    ...pages,
    setLevel,
    unknownTool,
    afterNotification,
    afterMalformed,
    unknownVersion,
  ].filter((each) => each !== null);
}

/** Returns the lines that show an exchange. */
function evidenceOf({ sent, reply }: Exchange): string[] {
  const request = `request: ${sent}`;
  switch (reply.kind) {
    case 'message':
      return [request, `answer: ${reply.line}`];
    case 'silence':
      return [
        request,
        `no answer within ${Math.round(reply.ms / 1000)} s`,
        ...(reply.instead === null ? [] : [`came instead: ${reply.instead}`]),
      ];
    case 'ended':
      return [request, 'the server ended'];
    case 'status':
      return [request, `answer: HTTP ${reply.status} without a message`];
  }
}

const isAnswered = (exchange: Exchange | null): boolean => exchange?.reply.kind === 'message';

function errorCodeOf({ reply }: Exchange): unknown {
  const error = reply.kind === 'message' ? reply.message['error'] : undefined;
  return isJsonObject(error) ? error['code'] : undefined;
}

function findGreetingFaults({ era, greeting, unknownVersion }: ProtocolRecord): ProtocolFault[] {
  const result = resultOf(greeting);
  if (result === null) return [];
  const faults: ProtocolFault[] = [];
  const missing = era === 'legacy' ? listMissingOfInitialize(result) : listMissingOfDiscover(result);
  if (missing.length > 0)
    faults.push({
      severity: 'high',
      sentence: `its answer to \`${era === 'legacy' ? 'initialize' : 'server/discover'}\` lacks ${missing.join(', ')}`,
      shown: greeting,
      proposal:
        'answer with all of these fields, as the specification has them: clients refuse the server without them',
    });
  const version = result['protocolVersion'];
  if (era === 'legacy' && typeof version === 'string' && !/^\d{4}-\d{2}-\d{2}$/.test(version))
    faults.push({
      severity: 'high',
      sentence: `it names the protocol version ${JSON.stringify(version)}, which is no date`,
      shown: greeting,
      proposal:
        'answer `initialize` with the version of the specification that the server follows, such as "2025-11-25"',
    });
  if (resultOf(unknownVersion)?.['protocolVersion'] === neverVersion)
    faults.push({
      sentence: `it agrees to the protocol version ${neverVersion}, which does not exist`,
      shown: unknownVersion,
      proposal:
        'answer `initialize` with a version that the server supports when the client asks for one that it does not',
    });
  return faults;
}

function listMissingOfInitialize(result: JsonObject): string[] {
  const info = result['serverInfo'];
  const missing: string[] = [];
  if (typeof result['protocolVersion'] !== 'string') missing.push('`protocolVersion`');
  if (!isJsonObject(result['capabilities'])) missing.push('`capabilities`');
  if (!isJsonObject(info)) missing.push('`serverInfo`');
  else
    for (const name of ['name', 'version']) if (typeof info[name] !== 'string') missing.push(`\`serverInfo.${name}\``);
  return missing;
}

function listMissingOfDiscover(result: JsonObject): string[] {
  const versions = result['supportedVersions'];
  const isList = Array.isArray(versions) && versions.length > 0 && versions.every((each) => typeof each === 'string');
  return [
    ...(isList ? [] : ['`supportedVersions`']),
    ...(isJsonObject(result['capabilities']) ? [] : ['`capabilities`']),
  ];
}

function findPingFaults({ ping, textId, afterNotification, afterMalformed }: ProtocolRecord): ProtocolFault[] {
  const faults: ProtocolFault[] = [];
  const proposal = 'answer `ping` with an empty result, `{}`, at once: clients end sessions without it';
  const result = resultOf(ping);
  if (ping !== null && result === null && ['message', 'silence'].includes(ping.reply.kind))
    faults.push({ sentence: '`ping` gets no result', shown: ping, proposal });
  if (result !== null && Object.keys(result).some((key) => key !== '_meta'))
    faults.push({ sentence: 'the result of `ping` is not empty', shown: ping, proposal });
  if (textId?.reply.kind === 'silence' && (isAnswered(ping) || isAnswered(afterNotification)))
    faults.push({
      severity: 'high',
      sentence: 'a request whose id is a text gets no answer with that id',
      shown: textId,
      proposal: 'send back the id of the request as it came, text or number',
    });
  if (isAnswered(textId) && afterNotification?.reply.kind === 'silence')
    faults.push({
      sentence: 'it answers no more after a notification that it does not know',
      shown: afterNotification,
      proposal: 'ignore notifications that are not known',
    });
  if (isAnswered(afterNotification) && afterMalformed?.reply.kind === 'silence')
    faults.push({
      sentence: 'it answers no more after a line that is no JSON',
      shown: afterMalformed,
      proposal: 'skip a line that cannot be read, or answer with the error -32700',
    });
  return faults;
}

function findUnknownMethodFaults({ unknownMethod, textId, afterNotification }: ProtocolRecord): ProtocolFault[] {
  if (unknownMethod === null) return [];
  const { reply } = unknownMethod;
  const proposal = 'answer requests with an unknown method with a JSON-RPC error, code -32601';
  if (reply.kind === 'message' && 'result' in reply.message)
    return [{ sentence: 'a request with an unknown method gets a result', shown: unknownMethod, proposal }];
  const isSilent = reply.kind === 'silence' || (reply.kind === 'status' && reply.status < 300);
  return isSilent && (isAnswered(textId) || isAnswered(afterNotification))
    ? [
        {
          severity: 'high',
          sentence: 'a request with an unknown method gets no answer, so that clients wait until they give up',
          shown: unknownMethod,
          proposal,
        },
      ]
    : [];
}

function findCapabilityFaults({ lists, setLevel }: ProtocolRecord): ProtocolFault[] {
  const asked = [
    ...listedCapabilities.map((name) => ({ name, method: `${name}/list`, first: lists[name]?.[0] })),
    { name: 'logging', method: 'logging/setLevel', first: setLevel ?? undefined },
  ];
  return asked.flatMap(({ name, method, first }): ProtocolFault[] =>
    first === undefined || errorCodeOf(first) !== methodNotFound
      ? []
      : [
          {
            severity: name === 'tools' ? 'high' : 'medium',
            sentence: `it declares the capability \`${name}\` and does not know \`${method}\``,
            shown: first,
            proposal: `handle \`${method}\`, or leave \`${name}\` out of the capabilities`,
          },
        ],
  );
}

function findContentFaults({ unknownTool }: ProtocolRecord): ProtocolFault[] {
  const result = resultOf(unknownTool);
  // From 2026-07-28 on a result may also ask for input, or be a task.
  if (result === null || (result['resultType'] ?? 'complete') !== 'complete') return [];
  const { content } = result;
  if (Array.isArray(content) && content.every((part) => isJsonObject(part) && typeof part['type'] === 'string'))
    return [];
  return [
    {
      sentence: 'the `content` of a result of `tools/call` is no list of parts with a `type`',
      shown: unknownTool,
      proposal: 'give `content` as a list, such as `[{"type": "text", "text": "…"}]`',
    },
  ];
}

function findEndFaults(record: ProtocolRecord): ProtocolFault[] {
  const { afterNotification, afterMalformed, staysAfterEnd } = record;
  const faults: ProtocolFault[] = [];
  const ended = listExchanges(record).find(({ reply }) => reply.kind === 'ended');
  if (ended !== undefined && ended !== record.unknownVersion) {
    const cause =
      ended === afterMalformed
        ? 'a line that is no JSON'
        : ended === afterNotification
          ? 'a notification that it does not know'
          : 'a request that clients may make';
    faults.push({
      severity: 'high',
      sentence: `it ends after ${cause}`,
      shown: ended,
      proposal:
        'catch errors where messages are read, and answer with a JSON-RPC error if there is a request to answer',
    });
  }
  if (staysAfterEnd)
    faults.push({
      severity: 'low',
      sentence: 'its process still runs 8 s after its standard input was closed',
      shown: null,
      proposal:
        'exit when standard input ends: clients close it to end the server, and leave processes behind otherwise',
    });
  return faults;
}

function findHttpFaults({ unknownSession, foreignOriginStatus }: ProtocolRecord): ProtocolFault[] {
  const faults: ProtocolFault[] = [];
  if (resultOf(unknownSession) !== null)
    faults.push({
      sentence: 'it serves requests with a session id that it never gave out',
      shown: unknownSession,
      proposal: 'answer with HTTP 404 when the `Mcp-Session-Id` is not that of an open session',
    });
  if (foreignOriginStatus !== null && foreignOriginStatus >= 200 && foreignOriginStatus < 300)
    faults.push({
      sentence: `a request with the \`Origin\` of a foreign web site gets HTTP ${foreignOriginStatus}, so that any page in a browser on this machine can call its tools (DNS rebinding)`,
      shown: [
        'request: `initialize` or `server/discover` with `Host: evil.example` and `Origin: http://evil.example`',
        `answer: HTTP ${foreignOriginStatus}`,
      ],
      proposal: 'answer with HTTP 403 when `Origin` is there and is none of the expected ones',
    });
  return faults;
}
