import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import type { Environment } from '@pay/contracts';
import { buildConnector } from 'undici';
import { literalAddress, type AddressGuard } from './address-guard';
import { LOOKUP_DEADLINE_MS, type ResolveHost } from './resolve-host';
import { codeOf, SendError } from './send-error';

const CONNECT_TIMEOUT_MS = 3_000;
const TLS_TIMEOUT_MS = 5_000;
/**
 * Time after which a name without a usable address fails. It is longer than any look-up, because the failure time would
 * otherwise reveal whether an internal name exists.
 */
const FAILED_LOOKUP_MS = LOOKUP_DEADLINE_MS + 100;

interface Deps {
  readonly guard: AddressGuard;
  readonly resolveHost: ResolveHost;
  readonly tls?: Pick<SecureContextOptions, 'ca'>;
  readonly failedLookupMs?: number;
}

/**
 * Opens every socket to merchants: resolves the name, checks each address, connects to exactly those, then TLS. One
 * refused address refuses the name; IP literals are checked separately, because Node does not call `lookup` for them.
 */
export function guardedConnector(
  { guard, resolveHost, tls, failedLookupMs = FAILED_LOOKUP_MS }: Deps,
  environment: Environment,
): buildConnector.connector {
  const upgrade = buildConnector({ ...tls, timeout: TLS_TIMEOUT_MS, minVersion: 'TLSv1.2' });

  const vet = async (hostname: string): Promise<readonly string[]> => {
    const literal = literalAddress(hostname);
    if (literal !== undefined) {
      if (!guard.allows(literal, environment)) throw new SendError('BLOCKED', 'ADDRESS_NOT_ALLOWED');
      return [literal];
    }
    const failAt = performance.now() + failedLookupMs;
    try {
      const addresses = await resolveHost(hostname);
      if (addresses.every((address) => guard.allows(address, environment))) return addresses;
      throw new SendError('BLOCKED_DNS', 'ADDRESS_NOT_ALLOWED');
    } catch (error) {
      await delay(Math.max(0, failAt - performance.now()));
      throw error;
    }
  };

  const open = async (options: buildConnector.Options): Promise<Socket> => {
    const socket = await openTcp(await vet(options.hostname), Number(options.port) || defaultPort(options.protocol));
    if (options.protocol !== 'https:') return socket;
    return new Promise((resolve, reject) => {
      upgrade({ ...options, httpSocket: socket }, (error, secured) => {
        if (error === null) {
          resolve(secured);
        } else {
          socket.destroy();
          reject(new SendError('TLS', codeOf(error), { cause: error }));
        }
      });
    });
  };

  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof SendError ? error : new SendError('INTERNAL', codeOf(error)), null),
    );
  };
}

const defaultPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80);

function openTcp(addresses: readonly string[], port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // This name is not resolved again: `lookup` returns the checked addresses.
    const socket = connect({
      host: 'vetted.invalid',
      port,
      lookup: pinned(addresses),
      autoSelectFamily: true,
      noDelay: true,
    });
    const fail = (detail: string, cause?: Error): void => {
      clearTimeout(timer);
      socket.on('error', () => undefined).destroy();
      reject(new SendError('CONNECT', detail, { cause }));
    };
    const timer = setTimeout(() => fail('ETIMEDOUT'), CONNECT_TIMEOUT_MS);
    const failed = (error: Error): void => fail(codeOf(error), error);
    socket.once('error', failed).once('connect', () => {
      clearTimeout(timer);
      socket.off('error', failed);
      resolve(socket);
    });
  });
}

function pinned(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, options, callback) => {
    const [first] = answers;
    if (options.all || first === undefined) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}
