import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  brandingSchema,
  eachService,
  paymentMethodSchema,
  SERVICES,
  supportContactSchema,
  type ServiceName,
} from '@pay/contracts';
import { z } from 'zod';
import { writePrivately } from './write-privately';

const accessSchema = z.object({
  apiKey: z.string(),
  deviceId: z.uuid(),
  deviceKey: z.string(),
  receivers: z.array(z.object({ paymentMethod: paymentMethodSchema, msisdn: z.string() })),
});
const merchantSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  support: supportContactSchema.optional(),
  branding: brandingSchema.optional(),
  owner: z.object({ email: z.string(), password: z.string() }),
  sandbox: accessSchema,
  live: accessSchema,
});
export type SeededMerchant = z.infer<typeof merchantSchema>;
export type SeededAccess = z.infer<typeof accessSchema>;

const seedSchema = z.object({
  merchants: z.array(merchantSchema).min(1),
  rolePasswords: z.record(z.enum(SERVICES), z.string()),
  brokerPasswords: z.record(z.enum(SERVICES), z.string()),
  eventSigningKeys: z.record(z.enum(SERVICES), z.string()),
  /** Key: the names of both services in alphabetical order. Example: `checkout-api+reconciler`. */
  peerSecrets: z.record(z.string(), z.string()),
  secretEncryptionKeys: z.string(),
  totpEncryptionKeys: z.string(),
  smsEncryptionKeys: z.string(),
  forwarderSecretKeys: z.string(),
  decisionChainKeys: z.string(),
  sessionSecret: z.string(),
});
export type Seed = z.infer<typeof seedSchema>;

export function seedPath(runDir: string): string {
  return join(runDir, 'seed.json');
}

/** Created at the first start with random secrets, and kept until `npm run clean`. */
export async function loadSeed(runDir: string, makeMerchants: () => Promise<string>): Promise<Seed> {
  const path = seedPath(runDir);
  const known: Partial<Seed> = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Seed>) : {};
  const draft = {
    ...(known.merchants ? { merchants: known.merchants } : (JSON.parse(await makeMerchants()) as object)),
    rolePasswords: { ...eachService(() => random()), ...known.rolePasswords },
    brokerPasswords: { ...eachService(() => random()), ...known.brokerPasswords },
    eventSigningKeys: { ...eachService(() => newEncryptionKey()), ...known.eventSigningKeys },
    peerSecrets: { ...everyPair(), ...known.peerSecrets },
    secretEncryptionKeys: known.secretEncryptionKeys ?? newEncryptionKey(),
    totpEncryptionKeys: known.totpEncryptionKeys ?? newEncryptionKey(),
    smsEncryptionKeys: known.smsEncryptionKeys ?? newEncryptionKey(),
    forwarderSecretKeys: known.forwarderSecretKeys ?? newEncryptionKey(),
    decisionChainKeys: known.decisionChainKeys ?? newEncryptionKey(),
    sessionSecret: known.sessionSecret ?? random(),
  };
  const seed = seedSchema.safeParse(draft);
  if (!seed.success) {
    throw new Error(
      `${path} is invalid. Delete it and all data with \`npm run clean\`.\n${z.prettifyError(seed.error)}`,
    );
  }
  writePrivately(path, seed.data);
  return seed.data;
}

export function peerSecret(seed: Seed, one: ServiceName, other: ServiceName): string {
  const secret = seed.peerSecrets[pairName(one, other)];
  if (secret === undefined) throw new Error(`No shared secret for ${one} and ${other}.`);
  return secret;
}

function everyPair(): Record<string, string> {
  const pairs = SERVICES.flatMap((one) => SERVICES.filter((other) => one < other).map((other) => pairName(one, other)));
  return Object.fromEntries(pairs.map((name) => [name, random()]));
}

function pairName(one: ServiceName, other: ServiceName): string {
  return [one, other].sort().join('+');
}

/** A production start refuses this id, because it shows that the key is from development. */
function newEncryptionKey(): string {
  return `local:${randomBytes(32).toString('base64')}`;
}

function random(): string {
  return randomBytes(32).toString('hex');
}
