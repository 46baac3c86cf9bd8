import { STATUS_CODES } from 'node:http';
import { randomUUID } from 'node:crypto';
import { BusinessError, ERRORS } from '@pay/contracts';
import { ValidationError } from './errors';
import { SECURITY_HEADERS } from './security-headers';

/**
 * Bytes that Node cannot parse as a request get 431, 408 or 400. Only a request whose headers were complete reaches the
 * kernel, which logs it as aborted.
 */
export function unparsableRequestResponse(code: string | undefined): string {
  const { status, body } = refusalOf(code);
  const content = JSON.stringify(body);
  const headers = [
    ['X-Request-Id', randomUUID()],
    ...SECURITY_HEADERS,
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(content))],
    ['Connection', 'close'],
  ];
  const lines = headers.map((header) => header.join(': '));
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', content].join('\r\n');
}

function refusalOf(code: string | undefined): { readonly status: number; readonly body: unknown } {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal('HEADERS_TOO_LARGE');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('REQUEST_TIMEOUT');
  return { status: 400, body: new ValidationError(['request must be valid HTTP/1.1']).body() };
}

function refusal(code: 'HEADERS_TOO_LARGE' | 'REQUEST_TIMEOUT') {
  return { status: ERRORS[code].status, body: new BusinessError(code).body() };
}
