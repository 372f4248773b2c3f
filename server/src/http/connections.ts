/** Connections that get no response of a route: the data was no request, or came too slowly. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, requestTimeout } from '@heddle/api/errors.ts';
import { errorBody } from './envelope.ts';
import { connectionFault } from './failures.ts';

/** Responds to data that never became a request. */
export function answerBrokenConnection(error: Error & { readonly code: string }, socket: Socket): void {
  const fault = connectionFault(error.code);
  if (fault === undefined) socket.destroy();
  else endWith(fault, socket);
}

/** Ends a connection whose request did not arrive in time. */
export function cutOff(socket: Socket): void {
  endWith(requestTimeout(), socket);
}

function endWith(fault: ApiError, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = errorBody(fault);
  socket.end(
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
