import { randomBytes } from 'node:crypto';

/** A unique prefix for the exchange and queues of one spec file, so that spec files can share a broker. */
export function testNamespace(): string {
  return `t_${randomBytes(5).toString('hex')}.`;
}
