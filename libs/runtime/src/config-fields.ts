import { isIP } from 'node:net';
import { z } from 'zod';
import { passwordsIn, problemsOfMailUrl, TLS_OFF } from './connection-url';
import { parseEncryptionKeys } from './secret-box';
import { knownWordIn, weaknessOf } from './secret-strength';
import { parseVerificationKeys } from './verification-keys';

/** A whole number in decimal digits. `Number` alone would also accept "", "0x10" and "1e3". */
export function integer({ min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {}) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}

/** Accepts true/false, 1/0, yes/no and on/off. */
export function flag() {
  return z.stringbool({ error: 'must be true or false' });
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProductionRule {
  /** Reasons to refuse this value in production; undefined if there are none. */
  readonly problemsOf: (value: string | undefined, env: Environment) => readonly string[];
  /** The secrets contained in a value. No other setting may contain the same secret. */
  readonly secretsIn?: (value: string) => readonly string[];
}
export const productionRules = z.registry<ProductionRule>();

/** Adds a check that runs only in production. All checks run, even if other settings are invalid. */
export function checkedInProduction<Schema extends z.ZodType>(
  schema: Schema,
  problemsOf: ProductionRule['problemsOf'],
): Schema {
  productionRules.add(schema, { problemsOf });
  return schema;
}

export function secretRule(
  weakness: (value: string) => string | undefined,
  secretsIn: (value: string) => readonly string[],
): ProductionRule {
  return {
    secretsIn,
    problemsOf(value) {
      const reason = value === undefined ? undefined : weakness(value);
      return reason === undefined ? [] : [`must not be used in production: it ${reason}`];
    },
  };
}

/** In production its password must be neither known nor guessable. */
export function mailServerUrl() {
  return z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).register(productionRules, {
    problemsOf: (value) => problemsOfMailUrl(value ?? ''),
    secretsIn: passwordsIn,
  });
}

/** At least 32 characters; in production, not a known or guessable value. Never give it a default. */
export function secret() {
  return z
    .string()
    .min(32, 'must have at least 32 characters')
    .register(
      productionRules,
      secretRule(weaknessOf, (value) => [value]),
    );
}

/** The first secret signs; all of them verify. */
export type SecretList = readonly [string, ...string[]];

const MOST_SECRETS = 4;

/**
 * A secret that can be rotated without downtime: one or more values, separated by commas. Each value is validated
 * separately.
 */
export function secrets() {
  return z
    .string()
    .transform((text, context): SecretList => {
      const [first = '', ...others] = partsOfList(text);
      const all: SecretList = [first, ...others];
      const refuse = (message: string) => context.addIssue({ code: 'custom', message });
      if (all.some((value) => value.length < 32)) refuse('must have at least 32 characters in each secret of the list');
      if (all.length > MOST_SECRETS) refuse(`must be at most ${MOST_SECRETS} secrets, separated by commas`);
      if (new Set(all).size !== all.length) refuse('must not contain the same secret twice');
      return all;
    })
    .register(productionRules, secretRule(weaknessOfList, partsOfList));
}

export function secretsSharedWith(service: string) {
  return secrets().describe(
    `Secrets shared with ${service} only, separated by commas; the first signs, every one verifies`,
  );
}

export function partsOfList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function weaknessOfList(text: string): string | undefined {
  return partsOfList(text)
    .map(weaknessOf)
    .find((weakness) => weakness !== undefined);
}

/**
 * `id:base64` of 32 bytes, separated by commas; the first key encrypts. In production each key is checked like a
 * secret.
 */
export function encryptionKeys() {
  return keys(parseEncryptionKeys);
}

/** `publisher/id:base64` of 32 bytes, separated by commas. In production each key is checked like a secret. */
export function verificationKeys() {
  return keys(parseVerificationKeys);
}

function keys<Keys>(parse: (text: string) => Keys) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return parse(text);
      } catch (error) {
        context.addIssue({
          code: 'custom',
          message: error instanceof RangeError ? error.message : 'has an invalid format',
        });
        return z.NEVER;
      }
    })
    .register(
      productionRules,
      secretRule(weaknessOfKeys, (text) => partsOfList(text).map((entry) => entry.slice(entry.indexOf(':') + 1))),
    );
}

/**
 * Checks the decoded bytes, because base64 hides that all bytes are equal. An id such as `local` shows that a key is
 * from development.
 */
function weaknessOfKeys(text: string): string | undefined {
  const entries = text.split(',').map((entry) => entry.trim().split(':'));
  return entries
    .flatMap(([id = '', encoded = '']) => [
      knownWordIn(`${id}:${encoded}`),
      weaknessOf(Buffer.from(encoded, 'base64').toString('hex')),
    ])
    .find((weakness) => weakness !== undefined);
}

/** Networks in CIDR notation, separated by commas, or `none`. Example: "10.0.0.0/8, fd00::/8" */
export function networks() {
  return z
    .string()
    .transform((text) => (text.trim() === 'none' ? [] : partsOfList(text).filter((part) => part !== '')))
    .refine((list) => list.every(isNetwork), 'must be CIDR ranges separated by commas, such as 10.0.0.0/8');
}

function isNetwork(text: string): boolean {
  const [address = '', length = '', ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits;
}

/** `off-in-private-network` states that another layer encrypts the connection, such as a service mesh. */
export function tlsSetting(server: string) {
  return z
    .enum(['required', TLS_OFF])
    .default('required')
    .describe(`Whether production requires TLS to ${server}: required, or ${TLS_OFF} when the network itself encrypts`);
}

/** A setting whose name says that it is a secret is checked as one, whatever its schema. */
export const NAMED_SECRET = secretRule(weaknessOf, (value) => [value]);
