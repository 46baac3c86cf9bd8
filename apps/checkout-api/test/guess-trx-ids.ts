import { connect } from 'node:net';
import { aRandomTrxId } from '@pay/testing';

export interface Guessing {
  /** Number of received responses. */
  readonly answered: () => number;
  /** Every response as status and body. */
  readonly answers: Promise<readonly string[]>;
}

/**
 * Sends confirms of random TrxIDs over a few connections without waiting for responses, the cheapest way for an
 * attacker.
 */
export function guessTrxIds(
  url: string,
  intentId: string,
  { times, connections, addressOf }: { times: number; connections: number; addressOf: (guess: number) => string },
): Guessing {
  const { hostname, port, host } = new URL(url);
  let answered = 0;

  function request(guess: number): string {
    const body = JSON.stringify({ trxId: aRandomTrxId() });
    const head = [
      `POST /v1/checkout/${intentId}/confirm HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `X-Forwarded-For: ${addressOf(guess)}`,
    ];
    return `${head.join('\r\n')}\r\n\r\n${body}`;
  }

  /** Sends requests on one connection. Resolves with the responses when all have arrived or the server closes it. */
  function sendAll(requests: readonly string[]): Promise<string[]> {
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      const parts: string[] = [];
      let seen = 0;
      socket.setEncoding('latin1');
      // `close` follows.
      socket.on('error', () => undefined);
      socket.on('data', (part: string) => {
        // Each response is a status line, headers that end in an empty line, and one line of JSON.
        const before = parts.at(-1)?.at(-1) ?? '';
        const count = `${before}${part}`.split('"}').length - 1;
        parts.push(part);
        answered += count;
        seen += count;
        if (seen >= requests.length) socket.destroy();
      });
      socket.on('close', () => {
        const responses = parts
          .join('')
          .split(/(?=HTTP\/1\.1 )/)
          .slice(0, seen);
        resolve(responses.map((response) => `${response.slice(9, 12)} ${response.split('\r\n\r\n')[1] ?? ''}`));
      });
      socket.write(requests.join(''));
    });
  }

  /** The server closes connections after some time; the other requests are sent again on the next one. */
  async function guessOn(connection: number): Promise<string[]> {
    const each = times / connections;
    const requests = Array.from({ length: each }, (_, guess) => request(connection * each + guess));
    const responses: string[] = [];
    while (responses.length < each) {
      const further = await sendAll(requests.slice(responses.length));
      if (further.length === 0) throw new Error('the server closed a connection without a response');
      responses.push(...further);
    }
    return responses;
  }

  const all = Promise.all(Array.from({ length: connections }, (_, connection) => guessOn(connection)));
  return { answered: () => answered, answers: all.then((answers) => answers.flat()) };
}
