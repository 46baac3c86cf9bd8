import { brandingSchema, isOneLine, normaliseMsisdn, paymentMethodSchema, supportContactSchema } from '@pay/contracts';
import { isWellFormedCredential, type CredentialPrefix } from '@pay/directory';
import { z } from 'zod';

const credential = (prefix: CredentialPrefix) =>
  z
    .string(`must be a key that begins with ${prefix}`)
    .refine(
      (key) => key.startsWith(prefix) && isWellFormedCredential(key),
      `must be a whole key that begins with ${prefix}`,
    );

const receiver = z.object({
  paymentMethod: paymentMethodSchema,
  msisdn: z.string().refine((text) => normaliseMsisdn(text) === text, 'must be written as 01 and nine digits'),
});

const access = (apiKey: CredentialPrefix, deviceKey: CredentialPrefix) =>
  z.object({
    apiKey: credential(apiKey),
    deviceId: z.uuid().optional(),
    deviceKey: credential(deviceKey),
    receivers: z.array(receiver).min(1, 'must contain at least one receiver'),
  });
export type SeedAccess = z.infer<ReturnType<typeof access>>;

/** Contains secrets. `make-seed` writes it and `seed` reads it. */
export const seedFileSchema = z.object({
  merchants: z
    .array(
      z.object({
        id: z.uuid().optional(),
        name: z.string().trim().min(1).max(120).refine(isOneLine, 'must not contain line breaks'),
        support: supportContactSchema.optional(),
        branding: brandingSchema.optional(),
        owner: z.object({
          email: z.email().max(254),
          password: z.string().min(12, 'must have at least 12 characters'),
        }),
        sandbox: access('sk_test_', 'dk_test_'),
        live: access('sk_live_', 'dk_live_'),
      }),
    )
    .min(1, 'must contain at least one merchant'),
});
export type SeedFile = z.infer<typeof seedFileSchema>;
export type SeedMerchant = SeedFile['merchants'][number];
