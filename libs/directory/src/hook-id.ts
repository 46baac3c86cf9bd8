import { randomBytes } from 'node:crypto';

const UUID_BYTES = 16;
const SECRET_BYTES = 32;
/** 48 bytes are a multiple of three, so each id has exactly one base64url form. */
const HOOK_ID = /^[A-Za-z0-9_-]{64}$/;
/** Device ids are UUIDs of version 7 (RFC 9562). This check refuses nearly all invented ids. */
const DEVICE_ID = /^.{8}-.{4}-7.{3}-[89ab]/;

/**
 * The last part of a forwarder hook's URL: the id of the device, for the look-up, and 256 random bits, stored only as a
 * hash. It is a credential and never logged.
 */
export function newHookId(deviceId: string): string {
  return Buffer.concat([Buffer.from(deviceId.replaceAll('-', ''), 'hex'), randomBytes(SECRET_BYTES)]).toString(
    'base64url',
  );
}

/** The id of the device; undefined if the text is not a hook id. */
export function deviceOfHook(hookId: string): string | undefined {
  if (!HOOK_ID.test(hookId)) return undefined;
  const hex = Buffer.from(hookId, 'base64url').subarray(0, UUID_BYTES).toString('hex');
  const deviceId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return DEVICE_ID.test(deviceId) ? deviceId : undefined;
}
