import { isIPv4 } from 'node:net';
import { weaknessOfPassword } from './secret-strength';

/** Value of DATABASE_TLS and AMQP_TLS that accepts connections without TLS. */
export const TLS_OFF = 'off-in-private-network';

export function problemsOfDatabaseUrl(text: string, isTlsOff: boolean): string[] {
  const url = parse(text);
  if (url === undefined) return [];
  // Parsed like the driver does: the last parameter of a name wins, and parameters override the same part of the
  // address.
  const host = url.searchParams.getAll('host').at(-1) ?? hostOf(url);
  const isSocket = host.startsWith('/');
  // The server authenticates the peer of a Unix socket, so no password is needed there.
  const isPeer = isSocket && passwordOf(url) === '';
  // Other modes do not verify the certificate, or verify it only in some versions of the driver.
  const isVerified = url.searchParams.getAll('sslmode').at(-1) === 'verify-full';
  const isSafe = isSocket || isLoopback(host) || isVerified || isTlsOff;
  return [
    ...(isPeer ? [] : problemsOfPassword(passwordOf(url))),
    ...(isSafe ? [] : [`must end in ?sslmode=verify-full in production${orOff('DATABASE_TLS')}`]),
  ];
}

export function problemsOfBrokerUrl(text: string, isTlsOff: boolean): string[] {
  const url = parse(text);
  if (url === undefined) return [];
  const isSafe = url.protocol === 'amqps:' || isLoopback(hostOf(url)) || isTlsOff;
  return [
    ...problemsOfPassword(decode(url.password)),
    ...(isSafe ? [] : [`must be an amqps:// URL in production${orOff('AMQP_TLS')}`]),
  ];
}

/** A mail server may need no password. */
export function problemsOfMailUrl(text: string): string[] {
  return passwordsIn(text).flatMap(problemsOfPassword);
}

export function passwordsIn(text: string): string[] {
  const url = parse(text);
  const password = url === undefined ? '' : passwordOf(url);
  return password === '' ? [] : [password];
}

function orOff(setting: string): string {
  return `, unless the server is on this machine or ${setting}=${TLS_OFF}`;
}

function problemsOfPassword(password: string): string[] {
  if (password === '') return ['must contain a password in production'];
  const weakness = weaknessOfPassword(password);
  return weakness === undefined ? [] : [`must not be used in production: its password ${weakness}`];
}

function passwordOf(url: URL): string {
  return url.searchParams.getAll('password').at(-1) ?? decode(url.password);
}

function hostOf(url: URL): string {
  return decode(url.hostname).replace(/^\[(.+)\]$/, '$1');
}

/** An empty host is not loopback: the driver then reads the host from its environment variables. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
