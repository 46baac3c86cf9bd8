import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { MAIL_PORTS, openOutsideServers } from './outside-servers';

describe('openOutsideServers', () => {
  it('accepts connections on every port that it names, and on none after it is closed', async () => {
    const { host, mailPorts, otherPort, close } = await openOutsideServers('127.0.0.1');

    for (const port of [otherPort, ...mailPorts]) await once(connect({ host, port }), 'connect');
    expect(MAIL_PORTS).toEqual(expect.arrayContaining([...mailPorts]));
    await close();
    await expect(once(connect({ host, port: otherPort }), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  it('refuses an address that this machine does not have', async () => {
    await expect(openOutsideServers('192.0.2.1')).rejects.toThrow(
      'This machine cannot listen at 192.0.2.1: name its address by --shop-host.',
    );
  });

  it('leaves out a port of mail that is in use', async () => {
    const taken = createServer().listen(MAIL_PORTS[0], '127.0.0.2');
    await Promise.race([once(taken, 'listening'), once(taken, 'error')]);

    const { mailPorts, close } = await openOutsideServers('127.0.0.2');

    expect(mailPorts).not.toContain(MAIL_PORTS[0]);
    await close();
    taken.close();
  });
});
