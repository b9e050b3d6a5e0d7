import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/client';
import { CancelledNotificationSchema, ProgressNotificationSchema } from '@modelcontextprotocol/core';

/**
 * Shifts the ids of the SDK's requests by `by`. The SDK counts its requests from 0. In a resumed session those ids may
 * be in use: a server may still be working on one, and its answer would be taken for another's.
 */
export function messageWithShiftedRequestIds(message: JSONRPCMessage, by: number): JSONRPCMessage {
  if (by === 0) return message;
  if (isJSONRPCRequest(message)) {
    const { params } = message;
    const token = params?._meta?.progressToken;
    const moved = { ...message, id: shiftId(message.id, by) };
    if (token === undefined) return moved;
    return { ...moved, params: { ...params, _meta: { ...params?._meta, progressToken: shiftId(token, by) } } };
  }
  const cancelled = CancelledNotificationSchema.safeParse(message);
  if (!cancelled.success || cancelled.data.params.requestId === undefined) return message;
  const { method, params } = cancelled.data;
  return { jsonrpc: '2.0', method, params: { ...params, requestId: shiftId(cancelled.data.params.requestId, by) } };
}

/** Reverses the shift in what the server says about our requests; its own requests have their own ids. */
export function messageWithRequestIdsShiftedBack(message: JSONRPCMessage, by: number): JSONRPCMessage {
  if (by === 0) return message;
  if (isJSONRPCResultResponse(message)) return { ...message, id: shiftId(message.id, -by) };
  if (isJSONRPCErrorResponse(message)) {
    return message.id === undefined ? message : { ...message, id: shiftId(message.id, -by) };
  }
  const progress = ProgressNotificationSchema.safeParse(message);
  if (!progress.success) return message;
  const { method, params } = progress.data;
  return { jsonrpc: '2.0', method, params: { ...params, progressToken: shiftId(params.progressToken, -by) } };
}

const shiftId = (id: RequestId, by: number): number => Number(id) + by;
