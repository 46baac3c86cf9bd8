import { randomBytes } from 'node:crypto';

/**
 * A fresh prefix for the exchange and the queues of one spec file, so that spec files share a broker without meeting.
 */
export function testNamespace(): string {
  return `t_${randomBytes(5).toString('hex')}.`;
}
