import { randomBytes } from 'node:crypto';

const UUID_BYTES = 16;
const SECRET_BYTES = 32;
/** 48 bytes fill their base64url letters whole, so that each id is written in one way. */
const HOOK_ID = /^[A-Za-z0-9_-]{64}$/;
/**
 * As devices are numbered: version 7 and the variant of RFC 9562. Of what somebody has made up, hardly anything gets
 * further than this.
 */
const DEVICE_ID = /^.{8}-.{4}-7.{3}-[89ab]/;

/**
 * The end of a forwarder hook's address: the device's id, by which the copy is asked, and 256 random bits, of which
 * only a hash is kept. A credential: never logged.
 */
export function newHookId(deviceId: string): string {
  return Buffer.concat([Buffer.from(deviceId.replaceAll('-', ''), 'hex'), randomBytes(SECRET_BYTES)]).toString(
    'base64url',
  );
}

/** Whose hook this would be; undefined for what cannot be one. */
export function deviceOfHook(hookId: string): string | undefined {
  if (!HOOK_ID.test(hookId)) return undefined;
  const hex = Buffer.from(hookId, 'base64url').subarray(0, UUID_BYTES).toString('hex');
  const deviceId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return DEVICE_ID.test(deviceId) ? deviceId : undefined;
}
