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

  function guessOn(connection: number): Promise<string[]> {
    const each = times / connections;
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      let seen = 0;
      socket.setEncoding('latin1');
      socket.on('error', reject);
      socket.on('data', (part: string) => {
        text += part;
        // Each response is a status line, headers that end in an empty line, and one line of JSON.
        const count = text.split('"}').length - 1;
        answered += count - seen;
        seen = count;
        if (seen < each) return;
        socket.destroy();
        resolve(
          text.split(/(?=HTTP\/1\.1 )/).map((answer) => `${answer.slice(9, 12)} ${answer.split('\r\n\r\n')[1] ?? ''}`),
        );
      });
      socket.write(Array.from({ length: each }, (_, guess) => request(connection * each + guess)).join(''));
    });
  }

  const all = Promise.all(Array.from({ length: connections }, (_, connection) => guessOn(connection)));
  return { answered: () => answered, answers: all.then((answers) => answers.flat()) };
}
