import { once } from 'node:events';
import { connect } from 'node:net';
import { serve, type Served } from './serve';

let served: Served;

beforeEach(async () => {
  served = await serve({ mount: () => undefined });
});

afterEach(() => served.close());

async function answerTo(text: string): Promise<string> {
  const socket = connect(served.port, '127.0.0.1');
  socket.end(text);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  return answer;
}

describe('a request that Node cannot parse', () => {
  it.each([
    [
      'because it is not HTTP',
      'PAY ME\r\n\r\n',
      'HTTP/1.1 400 Bad Request',
      { statusCode: 400, message: ['request must be valid HTTP/1.1'], error: 'Bad Request' },
    ],
    [
      'because its headers are over 16 KiB',
      `GET /v1/things HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
      'HTTP/1.1 431 Request Header Fields Too Large',
      { code: 'HEADERS_TOO_LARGE', message: expect.any(String) },
    ],
  ])('%s is answered in the documented shapes with a request id', async (_why, text, status, body) => {
    const [head = '', content = ''] = (await answerTo(text)).split('\r\n\r\n');

    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([
        status,
        expect.stringMatching(/^X-Request-Id: [-0-9a-f]{36}$/),
        'X-Content-Type-Options: nosniff',
        `Content-Length: ${content.length}`,
        'Connection: close',
      ]),
    );
    expect(JSON.parse(content)).toEqual(body);
  });
});
