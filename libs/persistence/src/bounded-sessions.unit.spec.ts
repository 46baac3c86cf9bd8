import { EventEmitter } from 'node:events';
import type { PoolClient } from 'pg';
import { boundedSessions } from './bounded-sessions';

function connection(own: string, ...looks: readonly (readonly string[])[]) {
  const answers = [...looks];
  const client = Object.assign(new EventEmitter(), {
    query: () => Promise.resolve({ rows: [{ own, running: answers.shift() ?? [] }] }),
    end: () => Promise.resolve(),
  });
  return client as unknown as PoolClient & EventEmitter;
}

it('a new connection takes the place of a session that ends a moment after its connection', async () => {
  const onConnect = boundedSessions(1);
  const first = connection('1');
  await onConnect(first);
  first.emit('end');

  await expect(onConnect(connection('2', ['1'], []))).resolves.toBeUndefined();
});
