import { Writable } from 'node:stream';
import { createLogger } from '@pay/runtime';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { BrokerConnection } from '../src/broker/connection';

failOnLeaks();

describe('a connection to a broker', () => {
  async function connectedTo(oldestVersion: string | undefined) {
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const set = jest.fn();
    const connection = await BrokerConnection.open({
      url: amqpUrl(),
      purpose: 'publish',
      service: 'spec',
      log: createLogger({ service: 'spec', level: 'info', destination }),
      metrics: { connectionUp: { set }, connectionBlocked: { set } } as never,
      ...(oldestVersion !== undefined && { oldestVersion }),
    });
    await eventually(() => lines.length > 0, 'the connection is accepted or refused');
    const { isUp } = connection;
    await connection.close();
    return { isUp, line: JSON.parse(lines[0] ?? '') };
  }

  it('that is older than required is refused, and the log names both versions', async () => {
    const { isUp, line } = await connectedTo('99.1');

    expect(isUp).toBe(false);
    expect(line).toMatchObject({ msg: 'broker.connect_failed' });
    expect(line.reason).toMatch(/^RabbitMQ \d+(\.\d+)+ is not supported: 99\.1 or later is required$/);
  });

  it('that is new enough is accepted', async () => {
    expect(await connectedTo(undefined)).toMatchObject({ isUp: true, line: { msg: 'broker.connected' } });
    expect(await connectedTo('2.99')).toMatchObject({ isUp: true });
  });
});
