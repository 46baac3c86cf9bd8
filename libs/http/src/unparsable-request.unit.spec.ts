import { unparsableRequestResponse } from './unparsable-request';

describe('unparsableRequestResponse', () => {
  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', { code: 'REQUEST_TIMEOUT' }],
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', { code: 'HEADERS_TOO_LARGE' }],
    ['HPE_INVALID_METHOD', '400 Bad Request', { statusCode: 400 }],
    [undefined, '400 Bad Request', { statusCode: 400 }],
  ])('of %s is %s with a documented body', (code, status, body) => {
    const [head = '', content = ''] = unparsableRequestResponse(code).split('\r\n\r\n');

    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
    expect(JSON.parse(content)).toMatchObject(body);
  });
});
